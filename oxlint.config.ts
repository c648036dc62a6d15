import { defineConfig, type OxlintOverride } from 'oxlint'

type Pattern = { message: string } & ({ regex: string } | { group: string[] })

type House = {
  house: string
  /** The lowest first. */
  floors: string[][]
  /** Rooms below that a room does not know all the same. */
  strangers: Record<string, string[]>
  /** Files beside the rooms. */
  entries: string[]
  everywhere: Pattern[]
  /** Rooms that may use Node's modules where others may not. */
  onNode?: readonly string[]
}

const allButTheContract = ['**/worker/**', '!**/worker/contract/**']
const onlyTheContract: Pattern = {
  group: allButTheContract,
  message: 'containers/ may import only worker/contract',
}
const noDependencies: Pattern = {
  regex: '^[@a-z][^:]*$',
  message: 'The client has no dependencies',
}

/**
 * Imports go down: a room may import from the floors below it and from itself. Rooms on one floor do not know each other.
 */
const houses: House[] = [
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
      ['app', 'mcp'],
    ],
    // The edges do not know the queue, and the reference describes the contract and nothing else.
    strangers: {
      http: ['queue'],
      app: ['queue'],
      mcp: ['queue', 'reference'],
      reference: ['store', 'service', 'upload', 'durable', 'command'],
    },
    entries: ['index', 'app'],
    everywhere: [
      { regex: '/containers/', message: 'The media worker is another program' },
      {
        regex: '/client/',
        message: 'The client is for others; only worker/app/scripts sends with it',
      },
      {
        group: ['node:*'],
        message: 'The Worker runs in workerd; Node modules stay in containers/',
      },
    ],
  },
  {
    house: 'containers',
    floors: [
      ['errors', 'numbers', 'settings'],
      ['graph'],
      ['timeline'],
      ['claims', 'confine', 'models', 'text'],
      ['ffmpeg'],
      ['sound', 'cuts', 'apart'],
      ['render', 'providers'],
      ['parts'],
      ['thumbnail', 'speech'],
      ['insight'],
      ['job'],
      ['slots'],
    ],
    strangers: {},
    entries: ['main', 'serve', 'job-process'],
    everywhere: [
      onlyTheContract,
      { group: ['cloudflare:*', 'hono', 'drizzle-orm'], message: 'That belongs to the Worker' },
    ],
  },
  {
    house: 'containers/cuts',
    floors: [['bits'], ['h264', 'hevc', 'vp9'], ['mp4'], ['plan'], ['make'], ['proof']],
    strangers: {},
    entries: [],
    // The house that it stands in says more, and only the last rule for a file counts.
    everywhere: [
      {
        regex:
          '^(\\.\\./)+(sound|apart|render|providers|parts|thumbnail|speech|insight|job|slots|main\\.ts|serve\\.ts)',
        message: 'containers/cuts stands below those that use it',
      },
      onlyTheContract,
      { group: ['cloudflare:*', 'hono', 'drizzle-orm'], message: 'That belongs to the Worker' },
    ],
  },
  {
    house: 'client/src',
    floors: [['http'], ['upload', 'webhook'], ['node'], ['resources'], ['cli']],
    // Everything but node/ and cli/ runs in browsers and Workers, and loads what only Node has when it is needed.
    strangers: { resources: ['node'] },
    entries: ['index'],
    everywhere: [
      { regex: '(worker|containers|scripts)/', message: 'The client is published by itself' },
      noDependencies,
      { group: ['node:*'], message: 'Only client/src/node runs on Node alone' },
    ],
    onNode: ['node', 'cli'],
  },
  {
    house: 'simulation',
    floors: [
      ['engine'],
      ['platform'],
      ['actors'],
      ['promises'],
      ['mutations'],
      ['scale'],
      ['runs'],
    ],
    strangers: {},
    entries: ['main'],
    // The service is compiled into each world, and its contract is known by its types alone.
    everywhere: [
      {
        group: allButTheContract,
        message: 'The simulation takes the service from a program that it has compiled',
      },
      {
        group: ['cloudflare:*', 'hono', 'drizzle-orm'],
        message: 'That belongs to the Worker',
      },
    ],
  },
  {
    house: 'client/src/cli',
    floors: [['terminal'], ['session'], ['arguments'], ['transfer', 'mcp'], ['commands']],
    strangers: {},
    entries: ['bin', 'main', 'commands'],
    everywhere: [
      { regex: '(worker|containers|scripts)/', message: 'The client is published by itself' },
      noDependencies,
    ],
  },
]

function roomRules({ house, floors, strangers, entries, everywhere, onNode = [] }: House) {
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
        ...everywhere.filter((pattern) => !(isOfNode(pattern) && onNode.includes(room))),
      ])
    }),
  )
}

const isOfNode = (pattern: Pattern): boolean =>
  'group' in pattern && pattern.group.includes('node:*')

/** Of the whole house: the files beside the rooms start everything, and may import from every room. */
function houseRule({ house, everywhere }: House) {
  return restrictImports(`${house}/**/*.{ts,tsx}`, everywhere)
}

function restrictImports(files: string, patterns: Pattern[]): OxlintOverride {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

/** Beside what is wrong wherever it stands: what types say of promises, and of values that nobody has looked at. */
const rules: NonNullable<OxlintOverride['rules']> = {
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'typescript/ban-ts-comment': 'error',
  'typescript/no-empty-object-type': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-non-null-assertion': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/no-unnecessary-type-constraint': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-enum-comparison': 'error',
  'typescript/no-unsafe-function-type': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/only-throw-error': 'error',
  'typescript/prefer-promise-reject-errors': 'error',
  'typescript/restrict-plus-operands': 'error',
  'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
  'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // Types count too: two files that need each other's are one subject, or want a third that both share.
  'import/no-cycle': ['error', { ignoreTypes: false }],
  'max-lines': ['error', { max: 400 }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', { max: 5 }],
  'no-console': 'error',
  eqeqeq: 'error',
  // What these find is meant where it stands.
  'no-control-regex': 'off',
  'no-loss-of-precision': 'off',
  'no-misleading-character-class': 'off',
  'no-unsafe-optional-chaining': 'off',
  'no-unused-private-class-members': 'off',
  'typescript/no-meaningless-void-operator': 'off',
  'typescript/no-misused-spread': 'off',
  'typescript/no-useless-default-assignment': 'off',
  'typescript/require-array-sort-compare': 'off',
}

export default defineConfig({
  plugins: ['typescript', 'import'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    'node_modules',
    'dist',
    '.spool',
    '.wrangler',
    'coverage',
    'worker/public/scripts',
    'worker/public/guides',
    'client/dist',
    'client/src/api-types.ts',
    '**/*.{js,mjs,cjs}',
  ],
  rules,
  overrides: [
    ...houses.map(houseRule),
    ...houses.flatMap(roomRules),
    restrictImports('scripts/**/*.{ts,mjs}', [
      { regex: '^(\\.\\./)+(bench|fuzz)/', message: 'Scripts must work without bench/ and fuzz/' },
    ]),
    // What pages run in a browser is a user of the API like any other, so it sends with the client's own parts.
    restrictImports('worker/app/scripts/**/*.ts', [
      {
        regex: '^(\\.\\./)+(store|service|upload|durable|command|queue|reference|http|mcp)/',
        message: 'Scripts run in browsers, and take the contract and what pages share',
      },
      {
        group: [
          '**/client/src/**',
          '!**/client/src/errors.ts',
          '!**/client/src/http/**',
          '!**/client/src/upload/**',
        ],
        message: 'Scripts take what sends, no more',
      },
      { group: ['node:*'], message: 'Scripts run in browsers' },
    ]),
    {
      // A describe() is a table of contents, not a function.
      files: ['test/**/*.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: ['scripts/**/*.ts', 'bench/**/*.ts'],
      rules: { 'no-console': 'off' },
    },
  ],
})
