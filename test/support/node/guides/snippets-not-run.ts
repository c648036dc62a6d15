/** A page, the beginning of a snippet or `*` for all of them, and why no test runs it as it stands. */
type NotRun = readonly (readonly [file: string, begins: string, reason: string])[]

export const notRun: NotRun = [
  ['README.md', 'npm run demo', 'starts a service of its own, whose tests are beside it'],
  ['README.md', 'npm start', 'every journey starts the service with this command'],
  ['client/README.md', 'npm install', 'the journey of the client installs the packed package'],
  ['docs/api.md', '<video', 'the journey of a shared link plays a video with captions'],
  ['docs/cookbook/preview.md', '<picture', 'the addresses in it are the reader’s own'],
  [
    'docs/cookbook/preview.md',
    '<media-player',
    'needs a player of others; the journey of the line reads one',
  ],
  [
    'docs/cookbook/clips-from-a-table.md',
    'spool batch',
    'main.test.ts of the command line runs it with such a table',
  ],
  ['docs/cookbook/hls.md', '<video', 'the journey of a stream plays one with the same script'],
  ['docs/webhooks.md', 'package webhook', 'webhooks-page.test.ts runs it where Go is installed'],
  ['docs/webhooks.md', 'spool webhooks listen', 'the journey of the client listens like this'],
  ['docs/cli.md', '*', 'the journey of the client runs the packed command line'],
  ['docs/agents.md', '*', 'programs of others read it; the MCP server has tests of its own'],
  ['docs/storages.md', '*', 'needs a bucket at another service; the tests of storages have one'],
  ['docs/cookbook/into-my-bucket.md', '*', 'needs a bucket at another service, as above'],
  ['docs/operators/backup.md', '*', 'the tests of admin make and restore backups of a service'],
  [
    'docs/operators/media-workers.md',
    '*',
    'needs further machines; the journey of restarts runs some on other ports',
  ],
  ['docs/operators/configuration.md', '*', 'needs the machine of an operator'],
  ['docs/operators/providers.md', '*', 'needs an account with a provider'],
  ['docs/operators/people.md', '*', 'the tests of admin run this command'],
  ['docs/operators/reliability.md', '*', 'the simulation has tests of its own'],
  ['docs/operators/self-hosting.md', '*', 'needs a server that is set up for it'],
  ['docs/operators/deploy.md', '*', 'needs an account with Cloudflare'],
  [
    'docs/operators/operations.md',
    '*',
    'needs the machine of an operator; the tests of admin run its commands',
  ],
]

/** Commands that the service refuses, and the pages show the refusal. */
export const refused: readonly (readonly [file: string, has: string])[] = [
  ['docs/api.md', 'curl -i "$SPOOL_BASE_URL/v1/videos"\n'],
  ['docs/api.md', '"removeSilense"'],
]

export const runnable = ['sh', 'ts', 'js', 'python', 'go', 'html']
