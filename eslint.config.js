import tseslint from 'typescript-eslint'

/**
 * Imports go down: a room may import from the floors below it and from itself. Rooms on one floor do not know each other.
 */
const houses = [
  {
    house: 'worker',
    floors: [
      ['contract'],
      ['store'],
      ['service'],
      ['upload'],
      ['durable'],
      ['command'],
      ['queue', 'reference'],
      ['http'],
      ['app'],
    ],
    // The edges do not know the queue, and the reference describes the contract and nothing else.
    strangers: {
      http: ['queue'],
      app: ['queue'],
      reference: ['store', 'service', 'upload', 'durable', 'command'],
    },
    entries: ['index', 'app'],
    everywhere: [
      { regex: '/containers/', message: 'The media worker is another program' },
      {
        group: ['node:*'],
        message: 'The Worker runs in workerd; Node modules stay in containers/',
      },
    ],
  },
  {
    house: 'containers',
    floors: [
      ['errors', 'settings'],
      ['graph'],
      ['timeline'],
      ['claims', 'confine', 'models'],
      ['ffmpeg'],
      ['sound'],
      ['render', 'providers'],
      ['thumbnail', 'speech'],
      ['insight'],
      ['job'],
      ['slots'],
    ],
    strangers: {},
    entries: ['main', 'serve'],
    everywhere: [
      { regex: 'worker/(?!contract/)', message: 'containers/ may import only worker/contract' },
      { group: ['cloudflare:*', 'hono', 'drizzle-orm'], message: 'That belongs to the Worker' },
    ],
  },
]

function roomRules({ house, floors, strangers, entries, everywhere }) {
  return floors.flatMap((floor, height) =>
    floor.map((room) => {
      const unknown = strangers[room] ?? []
      const below = floors
        .slice(0, height)
        .flat()
        .filter((name) => !unknown.includes(name))
      const others = floors.flat().filter((name) => name !== room && !below.includes(name))
      return restrictImports(`${house}/${room}/**/*.{ts,tsx}`, [
        {
          regex: `^(\\.\\./)+((${others.join('|')})/|(${entries.join('|')})\\.ts$)`,
          message: `${house}/${room} may import only from ${below.join(', ') || 'itself'}`,
        },
        ...everywhere,
      ])
    }),
  )
}

/** Of the whole house: the files beside the rooms start everything, and may import from every room. */
function houseRule({ house, everywhere }) {
  return restrictImports(`${house}/**/*.{ts,tsx}`, everywhere)
}

function restrictImports(files, patterns) {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.spool', '.wrangler', 'coverage', 'worker/public/scripts'] },
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
  ...houses.map(houseRule),
  ...houses.flatMap(roomRules),
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
