import tseslint from 'typescript-eslint'
import { noCircle } from './scripts/check/no-circle.ts'

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
      { regex: 'worker/(?!contract/)', message: 'containers/ may import only worker/contract' },
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
      { regex: 'worker/(?!contract/)', message: 'containers/ may import only worker/contract' },
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
      { regex: '^(?!\\.|node:)', message: 'The client has no dependencies' },
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
        regex: '/worker/(?!contract/)',
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
      { regex: '^(?!\\.|node:)', message: 'The client has no dependencies' },
    ],
  },
]

function roomRules({ house, floors, strangers, entries, everywhere, onNode = [] }) {
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
        ...everywhere.filter(({ group }) => !(group?.includes('node:*') && onNode.includes(room))),
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

/**
 * The programs that `npm run types` compiles. Each file is looked at in the first that has it: a program for each folder
 * with a tsconfig.json of its own, as an editor has them, would compile most files several times.
 */
const programs = ['tsconfig.json', 'test/worker/tsconfig.json', 'worker/app/scripts/tsconfig.json']

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'dist',
      '.spool',
      '.wrangler',
      'coverage',
      'worker/public/scripts',
      'worker/public/guides',
      'client/dist',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: programs, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { spool: { rules: { 'no-circle': noCircle } } },
    rules: {
      'spool/no-circle': 'error',
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
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      'no-console': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Others import the client too, but not as what runs in browsers.
    files: ['client/**/*.ts', 'test/client/**/*.ts'],
    languageOptions: { parserOptions: { project: 'test/client/tsconfig.json' } },
  },
  ...houses.map(houseRule),
  ...houses.flatMap(roomRules),
  restrictImports('scripts/**/*.{ts,mjs}', [
    { regex: '^(\\.\\./)+(bench|fuzz)/', message: 'What measures the house is no part of it' },
  ]),
  // What pages run in a browser is a user of the API like any other, so it sends with the client's own parts.
  restrictImports('worker/app/scripts/**/*.ts', [
    {
      regex: '^(\\.\\./)+(store|service|upload|durable|command|queue|reference|http|mcp)/',
      message: 'Scripts run in browsers, and take the contract and what pages share',
    },
    { regex: '/client/src/(?!errors|http/|upload/)', message: 'Scripts take what sends, no more' },
    { group: ['node:*'], message: 'Scripts run in browsers' },
  ]),
  {
    // A describe() is a table of contents, not a function.
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // Generated: as long as the description of the API.
    files: ['client/src/api-types.ts', 'client/src/cli/arguments/request-flags.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
