import { parseTrustedProxies } from '../addresses/client-address.ts'
import { parseOwnHosts, parseOwnPorts } from '../addresses/own-service.ts'
import { parseAllowedHosts } from '../addresses/public-url.ts'
import { parseOptionalRateLimits, parseRateLimits } from '../rate-windows.ts'
import { parseUploadOrigins } from '../addresses/upload-address.ts'
import {
  anyText,
  bytes,
  flag,
  ipAddress,
  mailSender,
  oneOf,
  parsedBy,
  pathName,
  place,
  textOfAtLeast,
  webAddress,
  webAddresses,
  webOrigin,
  wholeNumber,
} from './kinds.ts'
import { setting, startSetting, workerSetting } from './setting.ts'

/** The addresses of the service, who may do what with it, and its secrets. */
export const serviceSettings = {
  HOST: startSetting(ipAddress, {
    meaning: 'Address the API listens on; 0.0.0.0 for every network of the machine',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
  }),
  PORT: startSetting(wholeNumber(1, 65_535), {
    meaning: 'Port of the API',
    fallback: '8787',
    example: '8788',
  }),
  SPOOL_DATA_DIR: setting(place, {
    readBy: ['start', 'media'],
    meaning:
      'Folder for everything that is kept: database, files, secrets, logs. Relative to the repository. A media worker hides it from ffmpeg',
    shownFallback: '.spool',
    example: '/var/lib/spool',
  }),
  SPOOL_MODELS_URL: startSetting(webAddress, {
    meaning: 'Hub from which `npm run models` fetches, or a mirror with the same addresses',
    fallback: 'https://huggingface.co',
    example: 'https://models.example.com',
  }),
  BASE_URL: setting(webOrigin, {
    readBy: ['start', 'worker'],
    neededBy: ['worker'],
    meaning: 'Address at which clients reach the API, if it is behind a proxy',
    shownFallback: '`HOST` and `PORT`; required where deployed',
    example: 'https://video.example.com',
  }),
  TRUSTED_PROXIES: workerSetting(parsedBy(parseTrustedProxies), {
    meaning:
      'Comma-separated addresses and networks of the proxies in front of the service. Only they are believed when they say in `X-Forwarded-For` which address a request comes from',
    fallback: '',
    shownFallback: 'none',
    example: '127.0.0.1,10.0.0.0/8',
  }),
  STORAGE_URL: setting(webAddress, {
    readBy: ['start', 'worker'],
    meaning: 'Address that the download links in a record begin with',
    shownFallback: 'the base URL',
    example: 'https://media.example.com',
  }),
  REPORT_URL: setting(webAddress, {
    readBy: ['start', 'worker'],
    meaning:
      'Address at which media workers on other machines reach the service, if it is not that of clients',
    shownFallback: 'the base URL',
    example: 'http://10.0.0.5:8787',
  }),
  NEAR_URL: workerSetting(webAddress, {
    meaning:
      'Address at which media workers beside the service reach it; all others then reach the bucket through the service',
    shownFallback: 'none: all reach the bucket itself',
  }),
  NEAR_MEDIA_WORKERS: workerSetting(webAddresses, {
    meaning: 'Which of `MEDIA_WORKER_URLS` run beside the service',
    fallback: '',
  }),
  UPLOAD_ORIGINS: workerSetting(parsedBy(parseUploadOrigins), {
    meaning: 'Comma-separated origins whose pages may send parts of uploads; `*` for all',
    fallback: '',
    example: 'https://app.example.com',
  }),
  MAX_UPLOAD_BYTES: workerSetting(bytes, {
    meaning: 'Size of one uploaded file',
    fallback: '2147483648',
    example: '536870912',
  }),
  MAX_ACCOUNT_BYTES: workerSetting(wholeNumber(0, 2 ** 50), {
    meaning: 'What an account may keep in results, uploaded sources and uploads; 0: no limit',
    fallback: '0',
    example: '100000000000',
  }),
  MAX_DATABASE_BYTES: workerSetting(bytes, {
    meaning: 'What the database may hold. From 95 % of it on, no new video is accepted',
    fallback: '10000000000',
    example: '500000000',
  }),
  MIN_FREE_BYTES: setting(wholeNumber(0, 2 ** 50), {
    readBy: ['start', 'worker', 'media'],
    meaning:
      'Reserve on the disk of the service, and of each media worker. With less free, new videos and uploads are refused and jobs wait; with less than half of it, running jobs end',
    shownFallback: 'a tenth of the disk, from 32 MB to 1 GB',
    example: '5000000000',
  }),
  ALLOW_PRIVATE_HOSTS: setting(parsedBy(parseAllowedHosts), {
    readBy: ['worker', 'media'],
    meaning:
      'Comma-separated `host` or `host:port` that customers may use although they are private or not https. Set to an empty text: none',
    fallback: '',
    shownFallback:
      'localhost,127.0.0.1 while the service is reachable on loopback alone, else none',
    example: 'nas.lan:8080',
  }),
  RATE_LIMITS: workerSetting(parsedBy(parseRateLimits), {
    meaning: 'Windows of the default plan, as `count/seconds`, at most four',
    fallback: '100/60,1000/3600',
    shownFallback: '1000/60,20000/3600; 100/60,1000/3600 where deployed',
    example: '10/1,5000/3600',
  }),
  READ_RATE_LIMITS: workerSetting(parsedBy(parseOptionalRateLimits), {
    meaning: 'Separate windows for reading (GET); without them reads count in `RATE_LIMITS`',
    fallback: '',
    shownFallback: '6000/60 where `RATE_LIMITS` is not set, else none',
    example: '600/60',
  }),
  SIGN_UP: workerSetting(oneOf('open', 'invited', 'closed'), {
    meaning:
      'Who may make an account in the dashboard: `open`: anyone; `invited`: people with an invitation, who join its account; `closed`: nobody',
    fallback: 'invited',
    shownFallback: 'open while the service is reachable on loopback alone, else invited',
    example: 'open',
  }),
  MAIL_API_URL: workerSetting(webAddress, {
    meaning:
      'Address of an HTTP mail API that takes `{ from, to, subject, text }` as JSON with a bearer key, such as Resend. Without it, `npm start` prints mails, and a deployed service sends none',
    shownFallback: 'none',
    example: 'https://api.resend.com/emails',
  }),
  MAIL_API_KEY: workerSetting(pathName, {
    isSecret: true,
    meaning: 'Secret: the key of the mail API',
    shownFallback: 'none',
    example: 're_0123',
  }),
  MAIL_FROM: workerSetting(mailSender, {
    meaning: 'Sender of mails, with a domain that the mail API may send for',
    shownFallback: 'none',
    example: 'Spool <spool@example.com>',
  }),
  SPOOL_VERBOSE: startSetting(flag, {
    meaning: '1 shows every log line on the terminal',
    fallback: '0',
    example: '1',
  }),
  SPOOL_LOG: startSetting(oneOf('text', 'json'), {
    meaning:
      'What `npm start` prints: `text` for people, or `json`: one object a line for machines, without links and keys',
    fallback: 'text',
    example: 'json',
  }),
  ENVIRONMENT: workerSetting(anyText, {
    meaning: 'The name of the environment, for logs',
    fallback: 'production',
  }),
  CLIENT_ADDRESS: workerSetting(oneOf('edge', 'socket'), {
    meaning:
      'Who tells the address of a client: `edge`: the header CF-Connecting-IP; `socket`: the connection, and `TRUSTED_PROXIES`',
    shownFallback: '`edge`; nobody in `wrangler dev`',
  }),
  REACH: setting(oneOf('owner', 'others'), {
    readBy: ['worker', 'media'],
    meaning:
      'Who can reach the service: `owner`: only the person at its machine, who is told what went wrong at a private host; `others`',
    fallback: 'others',
  }),
  OWN_PORTS: setting(parsedBy(parseOwnPorts), {
    readBy: ['worker', 'media'],
    meaning: 'Ports that the processes of the service listen on; customers may not name them',
    fallback: '',
  }),
  OWN_HOSTS: workerSetting(parsedBy(parseOwnHosts), {
    meaning: 'Names and addresses of the machine of the service, besides loopback',
    fallback: '',
  }),
  S3_ENDPOINT: workerSetting(webAddress, {
    neededBy: ['worker'],
    meaning: 'The S3 endpoint of R2, a slash, and the bucket',
  }),
  S3_ACCESS_KEY_ID: workerSetting(textOfAtLeast(1), {
    neededBy: ['worker'],
    isSecret: true,
    meaning: 'Id of an R2 API token for the bucket, read and write',
  }),
  S3_SECRET_ACCESS_KEY: workerSetting(textOfAtLeast(1), {
    neededBy: ['worker'],
    isSecret: true,
    meaning: 'Secret of that token',
  }),
  MEDIA_WORKER_URLS: setting(webAddresses, {
    readBy: ['start', 'worker'],
    meaning:
      'Media workers on other machines, comma-separated; see `docs/operators/media-workers.md`. Where deployed: all that are not containers',
    fallback: '',
    example: 'https://media-1.example.com,https://media-2.example.com',
  }),
  SPOOL_SECRET: workerSetting(textOfAtLeast(32), {
    neededBy: ['worker'],
    isSecret: true,
    meaning: 'Signs links, part addresses and reports; at least 32 characters',
  }),
  SPOOL_ADMIN_SECRET: workerSetting(textOfAtLeast(32), {
    neededBy: ['worker'],
    isSecret: true,
    meaning: 'Signs the commands of `npm run admin`; at least 32 characters',
  }),
  MEDIA_WORKER_TOKEN: setting(textOfAtLeast(16), {
    readBy: ['worker', 'media'],
    neededBy: ['worker', 'media'],
    isSecret: true,
    meaning:
      'Secret: signs jobs for media workers over HTTP; the same for both, at least 16 characters. A container gets its own',
    shownFallback: '`mediaWorkerToken` of `secrets.json`; required where deployed',
    example: '4f1d0b6c93a75e28',
  }),
}
