import tseslint from 'typescript-eslint'

/** Imports point one way: a folder may import from those before it in this list, and from itself. */
const layers = [
  'contract',
  'store',
  'service',
  'upload',
  'durable',
  'command',
  'queue',
  'reference',
  'http',
]
/** Two edges of the same Worker: neither may know the other. The reference describes the contract and nothing else. */
const strangers = {
  http: ['queue'],
  queue: ['http'],
  reference: ['store', 'service', 'upload', 'durable', 'command', 'queue'],
}

function layerRule(layer) {
  const later = layers.slice(layers.indexOf(layer) + 1)
  const forbidden = new Set([...later, ...(strangers[layer] ?? [])])
  const allowed = layers.filter((name) => !forbidden.has(name))
  return {
    files: [`worker/${layer}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                ...[...forbidden].map((name) => `**/${name}/*`),
                '**/containers/**',
                '../index.ts',
                '../app.ts',
              ],
              message: `worker/${layer} may import only from ${allowed.join(', ')}`,
            },
            {
              group: ['node:*'],
              message: 'The Worker runs in workerd; Node modules stay in containers/',
            },
          ],
        },
      ],
    },
  }
}

const containersRule = {
  files: ['containers/**/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: 'worker/(?!contract/)',
            message: 'containers/ may import only worker/contract',
          },
          { group: ['cloudflare:*', 'hono', 'drizzle-orm'], message: 'That belongs to the Worker' },
        ],
      },
    ],
  },
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.spool', '.wrangler', 'coverage'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      'no-console': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  ...layers.map(layerRule),
  containersRule,
  {
    // A describe() is a table of contents, not a function.
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
