import { defaultWebhookSchedule, parseWebhookSchedule } from '../webhooks/webhook-schedule.ts'
import { anyText, bytes, flag, parsedBy, place, price, seconds, wholeNumber } from './kinds.ts'
import { mediaSetting, startSetting, workerSetting } from './setting.ts'

/** How jobs run: how long, how often, how large, and by which media workers. */
export const jobSettings = {
  MEDIA_WORKERS: startSetting(wholeNumber(0, 64), {
    meaning: 'Local media workers to start',
    fallback: '1',
    shownFallback: '1; 0 with `MEDIA_WORKER_URLS`',
    example: '2',
  }),
  MEDIA_SLOTS: mediaSetting(wholeNumber(1, 256), {
    meaning: 'Jobs that one media worker runs at once',
    // On two cores, too, a short clip need not wait until a long film is done.
    fallback: ({ cores }) => String(Math.max(Math.min(2, cores), Math.floor(cores / 2))),
    shownFallback: 'half the cores, at least 2; 1 on a single core',
    example: '4',
  }),
  MEDIA_FETCHING: mediaSetting(wholeNumber(0, 256), {
    meaning:
      'Additional jobs that one media worker keeps while they wait for slow sources, or then for a slot',
    fallback: '8',
    example: '4',
  }),
  LEASE_SECONDS: workerSetting(wholeNumber(1, 86_400), {
    meaning: 'How long a media worker may be silent before its job counts as lost',
    fallback: '60',
    example: '30',
  }),
  MAX_ATTEMPTS: workerSetting(wholeNumber(1, 100), {
    meaning:
      'How many attempts of a job may end one after another without a result and without keeping anything new, such as words that were heard',
    fallback: '3',
    example: '5',
  }),
  MAX_PARTS: workerSetting(wholeNumber(1, 1000), {
    meaning:
      'How many parts of the long films of one account may be rendered at the same time by media workers that are idle, with the one that has the job; 1 has every film rendered whole',
    fallback: '30',
    example: '10',
  }),
  INTERMEDIATE_HOURS: workerSetting(wholeNumber(0, 720), {
    meaning:
      'How long the words that were heard in a source, and what was measured of it, are kept after they were last used, for later videos of the account with the same source; 0: not at all',
    fallback: '24',
    example: '0',
  }),
  MAX_QUEUE_SECONDS: workerSetting(wholeNumber(1, 31_536_000), {
    meaning: 'How long a job may wait for a free media worker',
    fallback: '86400',
    example: '3600',
  }),
  MAX_JOB_SECONDS: workerSetting(wholeNumber(1, 31_536_000), {
    meaning: 'Time for all attempts of a job together',
    fallback: '43200',
    example: '7200',
  }),
  WEBHOOK_SCHEDULE: workerSetting(parsedBy(parseWebhookSchedule), {
    meaning: 'How many seconds after the one before it each attempt of a webhook is made',
    fallback: defaultWebhookSchedule,
    example: '0,1,10,60',
  }),
  PRICE_PER_CPU_SECOND: workerSetting(price, {
    meaning: 'What plans, usage and budgets count for a second of one processor',
    fallback: '0.00002',
    shownFallback: '0.00002, the dollars that Cloudflare takes',
    example: '0.00001',
  }),
  PRICE_PER_GB: workerSetting(price, {
    meaning: 'What plans, usage and budgets count for each GB of results',
    fallback: '0.015',
    shownFallback: '0.015, the dollars that Cloudflare takes for a month in R2',
    example: '0.02',
  }),
  MAX_SOURCE_BYTES: mediaSetting(bytes, {
    meaning: 'Size of one input',
    fallback: '2147483648',
    example: '536870912',
  }),
  MAX_SOURCE_SECONDS: mediaSetting(seconds, {
    meaning: 'Duration of one input',
    fallback: '14400',
    example: '3600',
  }),
  MAX_JOB_INPUT_BYTES: mediaSetting(bytes, {
    meaning: 'All inputs of one job together',
    fallback: '6442450944',
    example: '2147483648',
  }),
  MAX_OUTPUT_BYTES: mediaSetting(bytes, {
    meaning: 'Size of the output of one job',
    fallback: '4294967296',
    example: '1073741824',
  }),
  MAX_PIXELS: mediaSetting(wholeNumber(1, 2 ** 40), {
    meaning: 'Width times height of any picture',
    fallback: '40000000',
    example: '8847360',
  }),
  FFMPEG_THREADS: mediaSetting(wholeNumber(1, 1024), {
    meaning: 'Threads of one ffmpeg',
    fallback: ({ cores }) => String(cores),
    shownFallback: 'number of cores',
    example: '2',
  }),
  FFMPEG_MEMORY_BYTES: mediaSetting(bytes, {
    meaning: 'Resident memory of one ffmpeg; above it the job fails',
    fallback: '4294967296',
    example: '2147483648',
  }),
  JOB_MEMORY_BYTES: mediaSetting(bytes, {
    meaning:
      'Resident memory of the process that reads and plans one job, without its ffmpeg; above it the job fails',
    fallback: '1073741824',
    example: '805306368',
  }),
  MEDIA_HOST: mediaSetting(anyText, {
    meaning: 'Address that a media worker listens on',
    fallback: '127.0.0.1',
  }),
  MEDIA_PORT: mediaSetting(wholeNumber(0, 65_535), {
    meaning: 'Port that a media worker listens on',
    fallback: '8788',
  }),
  MEDIA_TLS_CERT: mediaSetting(place, {
    meaning: 'File with the certificate of a media worker, and those between it and its authority',
    shownFallback: 'none: plain HTTP',
  }),
  MEDIA_TLS_KEY: mediaSetting(place, {
    meaning: 'File with the private key of that certificate',
    shownFallback: 'none',
  }),
  SPOOL_WORK_DIR: mediaSetting(place, {
    meaning:
      'Folder that a media worker works in; what an earlier one left there is removed at start',
    shownFallback: 'a folder of its own in the folder for temporary files',
  }),
  STOP_GRACE_SECONDS: mediaSetting(seconds, {
    meaning: 'How long jobs may still run after SIGTERM',
    fallback: '30',
    shownFallback: '30; 840 in the image',
  }),
  LOG_PROGRESS: mediaSetting(flag, {
    meaning: '1 logs a line whenever a job makes progress',
    fallback: '0',
  }),
}
