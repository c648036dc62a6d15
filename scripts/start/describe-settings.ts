import type { VariableName } from './settings.ts'

/** What a reader needs to know of a variable; `npm start -- --help` and docs/configuration.md say the same. */
export type VariableNotes = { meaning: string; fallback: string; example: string }

export const variableNotes: Record<VariableName, VariableNotes> = {
  HOST: {
    meaning: 'Address the API listens on; 0.0.0.0 for every network of the machine',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
  },
  PORT: {
    meaning: 'Port of the API',
    fallback: '8787',
    example: '8788',
  },
  SPOOL_DATA_DIR: {
    meaning: 'Where everything is kept: database, files, secrets, logs. Relative to the repository',
    fallback: '.spool',
    example: '/var/lib/spool',
  },
  BASE_URL: {
    meaning: 'Where clients reach the API, when a proxy stands before it',
    fallback: 'HOST and PORT',
    example: 'https://video.example.com',
  },
  STORAGE_URL: {
    meaning: 'What the download links in a record begin with',
    fallback: 'the base URL',
    example: 'https://media.example.com',
  },
  UPLOAD_ORIGINS: {
    meaning: 'Comma-separated origins whose pages may send parts of uploads; `*` for all',
    fallback: 'none',
    example: 'https://app.example.com',
  },
  MEDIA_WORKERS: {
    meaning: 'Local media workers to start',
    fallback: '1',
    example: '2',
  },
  MEDIA_SLOTS: {
    meaning: 'Jobs that one media worker runs at once',
    fallback: 'half the cores, at least 1',
    example: '4',
  },
  MEDIA_FETCHING: {
    meaning:
      'Further jobs that one media worker keeps while they wait for slow sources, or for a slot after them',
    fallback: '8',
    example: '4',
  },
  ALLOW_PRIVATE_HOSTS: {
    meaning:
      'Comma-separated `host` or `host:port` that customers may use although private or not https. Set to nothing: none',
    fallback: 'localhost,127.0.0.1 while the service is reachable on loopback alone, else none',
    example: 'nas.lan:8080',
  },
  RATE_LIMITS: {
    meaning: 'Windows of the default plan, as `count/seconds`, at most four',
    fallback: '1000/60,20000/3600; 100/60,1000/3600 where deployed',
    example: '10/1,5000/3600',
  },
  READ_RATE_LIMITS: {
    meaning: 'Windows of its own for reading (GET); without them reads count in `RATE_LIMITS`',
    fallback: '6000/60 where `RATE_LIMITS` is not set, else none',
    example: '600/60',
  },
  LEASE_SECONDS: {
    meaning: 'How long a silent media worker is believed to be alive',
    fallback: '60',
    example: '30',
  },
  MAX_ATTEMPTS: {
    meaning: 'Attempts of a job, the first included',
    fallback: '3',
    example: '5',
  },
  MAX_QUEUE_SECONDS: {
    meaning: 'How long a job may wait for a free media worker',
    fallback: '86400',
    example: '3600',
  },
  MAX_JOB_SECONDS: {
    meaning: 'All attempts of a job together',
    fallback: '43200',
    example: '7200',
  },
  WEBHOOK_SCHEDULE: {
    meaning: 'Seconds that each attempt of a webhook waits for after the one before it',
    fallback: '0,5,300,1800,7200,18000,36000,36000',
    example: '0,1,10,60',
  },
  MAX_UPLOAD_BYTES: {
    meaning: 'Size of one uploaded file',
    fallback: '2147483648',
    example: '536870912',
  },
  MAX_SOURCE_BYTES: {
    meaning: 'Size of one input',
    fallback: '2147483648',
    example: '536870912',
  },
  MAX_SOURCE_SECONDS: {
    meaning: 'Duration of one input',
    fallback: '14400',
    example: '3600',
  },
  MAX_JOB_INPUT_BYTES: {
    meaning: 'All inputs of one job together',
    fallback: '6442450944',
    example: '2147483648',
  },
  MAX_FETCH_SECONDS: {
    meaning: 'Fetching all inputs of one job; beyond it the job fails',
    fallback: '1800',
    example: '600',
  },
  MAX_OUTPUT_BYTES: {
    meaning: 'Size of the output of one job',
    fallback: '4294967296',
    example: '1073741824',
  },
  MAX_PIXELS: {
    meaning: 'Width times height of any picture',
    fallback: '40000000',
    example: '8847360',
  },
  FFMPEG_THREADS: {
    meaning: 'Threads of one ffmpeg',
    fallback: 'number of cores',
    example: '2',
  },
  FFMPEG_MEMORY_BYTES: {
    meaning: 'Resident memory of one ffmpeg; above it the job fails',
    fallback: '4294967296',
    example: '2147483648',
  },
  STALL_SECONDS: {
    meaning: 'How long an ffmpeg may make no progress before it is stopped',
    fallback: '60',
    example: '120',
  },
  SPEECH_PROVIDER: {
    meaning:
      'Who turns speech into text: `local`, `openai` or `cloudflare`; see `docs/providers.md`',
    fallback: 'local',
    example: 'openai',
  },
  SPEECH_MODEL_DIR: {
    meaning: 'Folder with another speech model, in the shape of `docs/providers.md`',
    fallback: 'the packaged model',
    example: '/models/english',
  },
  SPEECH_LANGUAGE_FLOOR: {
    meaning: 'Speech that scores below it is not taken for English by the local recogniser',
    fallback: '-0.5',
    example: '-0.6',
  },
  SPEECH_MAX_AUDIO_BYTES: {
    meaning: 'Size of the sound sent to be transcribed',
    fallback: '26214400',
    example: '10485760',
  },
  SPEECH_TIMEOUT_SECONDS: {
    meaning: 'How long one call of a speech provider may take; for `local` one window of speech',
    fallback: '60',
    example: '120',
  },
  ANALYSIS_PROVIDER: {
    meaning: 'Who looks at the finished video: `local`, `openai` or `cloudflare`',
    fallback: 'local',
    example: 'cloudflare',
  },
  OPENAI_BASE_URL: {
    meaning: 'Where `openai` is: any server that speaks its API',
    fallback: 'https://api.openai.com/v1',
    example: 'http://10.0.0.5:8000/v1',
  },
  OPENAI_API_KEY: {
    meaning: 'Secret: its key',
    fallback: 'none',
    example: 'sk-proj-0123',
  },
  OPENAI_SPEECH_MODEL: {
    meaning: 'Its model for speech',
    fallback: 'whisper-1',
    example: 'gpt-4o-transcribe',
  },
  OPENAI_VISION_MODEL: {
    meaning: 'Its model for pictures',
    fallback: 'gpt-4o-mini',
    example: 'gpt-4o',
  },
  CLOUDFLARE_BASE_URL: {
    meaning: 'Where the REST API of Cloudflare is',
    fallback: 'https://api.cloudflare.com/client/v4',
    example: 'https://gateway.example.com/v4',
  },
  CLOUDFLARE_ACCOUNT_ID: {
    meaning: 'Account whose Workers AI is used',
    fallback: 'none',
    example: '023e105f4ecef8ad9ca31a8372d0c353',
  },
  CLOUDFLARE_API_TOKEN: {
    meaning: 'Secret: a token with the permission Workers AI',
    fallback: 'none',
    example: 'v1.0-0123',
  },
  CLOUDFLARE_SPEECH_MODEL: {
    meaning: 'Its model for speech',
    fallback: '@cf/openai/whisper-large-v3-turbo',
    example: '@cf/openai/whisper-large-v3-turbo',
  },
  CLOUDFLARE_VISION_MODEL: {
    meaning: 'Its model for pictures',
    fallback: '@cf/meta/llama-4-scout-17b-16e-instruct',
    example: '@cf/google/gemma-3-12b-it',
  },
  SPOOL_VERBOSE: {
    meaning: '1 shows every log line on the terminal',
    fallback: '0',
    example: '1',
  },
}

export function helpText(): string {
  return `Usage: npm start
       PORT=8788 SPOOL_DATA_DIR=.spool-2 npm start

Runs Spool on this machine: installs what is missing, bundles the Worker once, applies migrations, starts the Worker
and the media workers, waits until they are healthy, and prints an address and an API key. Parts that die are started
again. Ctrl-C stops everything.

npm run dev does the same in wrangler dev, for people who change the Worker.

${common()}`
}

export function devHelp(): string {
  return `Usage: npm run dev
       npm run dev -- --by-hand

Runs Spool as npm start does, on the same data, but with the Worker in wrangler dev: a change of its sources takes effect
at once, and a debugger can be attached. It is slower and takes more memory; npm start is for everything else.

  --by-hand   starts everything but wrangler dev, and prints the command that starts it in another terminal

${common()}`
}

function common(): string {
  const names = Object.keys(variableNotes) as VariableName[]
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map((name) => {
    const { meaning, fallback } = variableNotes[name]
    return `  ${name.padEnd(width)}  ${meaning.replaceAll('`', '')} (default: ${fallback})`
  })
  return `While it runs, dev.json in the data directory tells programs where it is: baseUrl, apiKey, dashboardUrl,
webhookSecret, pid, workerPid, mediaWorkers.

Settings, all from the environment:

${lines.join('\n')}
`
}
