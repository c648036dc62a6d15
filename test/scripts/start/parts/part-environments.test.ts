import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { operatorSettings } from '../../../../worker/contract/settings/table.ts'
import { loadSettings } from '../../../../containers/settings/settings.ts'
import { dataDirectory } from '../../../../scripts/start/data/data-directory.ts'
import {
  baseUrlOf,
  envFileText,
  mediaSecrets,
  mediaVariables,
  workerVariables,
} from '../../../../scripts/start/parts/part-environments.ts'
import type { ServiceRun } from '../../../../scripts/start/run.ts'
import { readSettings } from '../../../../scripts/start/settings.ts'

const secrets = {
  spoolSecret: 's'.repeat(43),
  adminSecret: 'a'.repeat(43),
  mediaWorkerToken: 't'.repeat(43),
  s3AccessKeyId: 'i'.repeat(20),
  s3SecretAccessKey: 'k'.repeat(43),
}

function aRun(variables: Record<string, string>, mode: ServiceRun['mode'] = 'server'): ServiceRun {
  const ports = { entry: 2, loopback: 3, inspector: 4 }
  const own = { ports: [2, 3, 4], hosts: [] }
  const settings = readSettings(variables)
  return { mode, settings, tellsSecrets: true, data: dataDirectory('/data'), secrets, ports, own }
}

describe('workerVariables', () => {
  it('tells the Worker where it is, where its storage is, and whom it may send jobs to', () => {
    const run = aRun({ PORT: '9000', LEASE_SECONDS: '5' })
    expect(workerVariables(run, ['http://127.0.0.1:5', 'http://127.0.0.1:6'])).toEqual({
      ENVIRONMENT: 'local',
      BASE_URL: 'http://127.0.0.1:9000',
      REPORT_URL: 'http://127.0.0.1:9000',
      STORAGE_URL: 'http://127.0.0.1:9000',
      SIGN_UP: 'open',
      UPLOAD_ORIGINS: '',
      S3_ENDPOINT: 'http://127.0.0.1:2/cdn-cgi/local/r2/s3/spool-media',
      S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
      SPOOL_SECRET: secrets.spoolSecret,
      SPOOL_ADMIN_SECRET: secrets.adminSecret,
      MEDIA_WORKER_URLS: 'http://127.0.0.1:5,http://127.0.0.1:6',
      MEDIA_WORKER_TOKEN: secrets.mediaWorkerToken,
      ALLOW_PRIVATE_HOSTS: 'localhost,127.0.0.1',
      REACH: 'owner',
      CLIENT_ADDRESS: 'socket',
      TRUSTED_PROXIES: '',
      PRICE_PER_CPU_SECOND: '0.00002',
      PRICE_PER_GB: '0.015',
      RATE_LIMITS: '1000/60,20000/3600',
      READ_RATE_LIMITS: '6000/60',
      INTERMEDIATE_HOURS: '24',
      LEASE_SECONDS: '5',
      MAX_ATTEMPTS: '3',
      MAX_PARTS: '30',
      MAX_QUEUE_SECONDS: '86400',
      MAX_JOB_SECONDS: '43200',
      WEBHOOK_SCHEDULE: '0,5,300,1800,7200,18000,36000,36000',
      MAX_UPLOAD_BYTES: '2147483648',
      MAX_ACCOUNT_BYTES: '0',
      MAX_DATABASE_BYTES: '10000000000',
    })
  })

  it('knows where clients come in and where media workers report, with a proxy in front', () => {
    const run = aRun({ PORT: '9000', HOST: '0.0.0.0', BASE_URL: 'https://video.example.com/' })
    expect(workerVariables(run, [])).toMatchObject({
      BASE_URL: 'https://video.example.com',
      STORAGE_URL: 'https://video.example.com',
      REPORT_URL: 'http://127.0.0.1:9000',
      S3_ENDPOINT: 'http://127.0.0.1:2/cdn-cgi/local/r2/s3/spool-media',
    })
  })

  it('tells media workers on other machines an address of their own, and knows which are here', () => {
    const run = aRun({
      PORT: '9000',
      BASE_URL: 'https://video.example.com',
      MEDIA_WORKER_URLS: 'https://media-1.example.com',
      MEDIA_WORKER_TOKEN: 'a token of the operator',
    })
    const expected = {
      MEDIA_WORKER_URLS: 'http://127.0.0.1:5,https://media-1.example.com',
      MEDIA_WORKER_TOKEN: 'a token of the operator',
      REPORT_URL: 'https://video.example.com',
      NEAR_URL: 'http://127.0.0.1:9000',
      NEAR_MEDIA_WORKERS: 'http://127.0.0.1:5',
    }
    expect(workerVariables(run, ['http://127.0.0.1:5'])).toMatchObject(expected)
    expect(mediaSecrets(run.settings, secrets)).toContain('TOKEN=a token of the operator\n')
  })

  it('finds the bucket on the one socket that wrangler dev has', () => {
    expect(workerVariables(aRun({ PORT: '9000' }, 'dev'), [])).toMatchObject({
      S3_ENDPOINT: 'http://127.0.0.1:9000/cdn-cgi/local/r2/s3/spool-media',
    })
  })
})

describe('baseUrlOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8787'],
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://127.0.0.1:8787'],
    ['::1', 'http://[::1]:8787'],
    ['192.0.2.7', 'http://192.0.2.7:8787'],
  ])('reaches a service that listens on %s', (HOST, url) => {
    expect(baseUrlOf(readSettings({ HOST }))).toBe(url)
  })
})

it('envFileText is read back unchanged, whatever it contains', () => {
  const variables = { A: 'https://a.example/x#y', B: '', C: 'a,b c "d" $E' }
  expect(parseEnv(envFileText(variables))).toEqual(variables)
})

describe('mediaVariables', () => {
  const place = { port: 9100, workDirectory: '/data/work/1' }

  it('passes on nothing of the developer, only of the machine', () => {
    const names = Object.keys(mediaVariables(readSettings({}), place))
    const ofMachine = [
      'PATH',
      'HOME',
      'TMPDIR',
      'LANG',
      'NODE_COMPILE_CACHE',
      'NODE_EXTRA_CA_CERTS',
    ]
    expect(new Set(names.filter((name) => !ofMachine.includes(name)))).toEqual(
      new Set([
        ...operatorSettings
          .filter(([, { readBy, isSecret }]) => readBy.includes('media') && !isSecret)
          .filter(([, { fallback }]) => fallback !== undefined)
          .map(([name]) => name),
        ...['SPOOL_DATA_DIR', 'SPOOL_WORK_DIR', 'REACH', 'LOG_PROGRESS'],
        ...['MEDIA_HOST', 'MEDIA_PORT', 'MEDIA_SECRETS_FD'],
      ]),
    )
  })

  it('contains no secret, because every child can read an environment in /proc', () => {
    const keys = { SPEECH_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-1', CLOUDFLARE_API_TOKEN: 't' }
    const values = Object.values(mediaVariables(readSettings(keys), place))
    expect(values).toContain('openai')
    for (const secret of [...Object.values(secrets), 'sk-1', 't']) {
      expect(values).not.toContain(secret)
    }
  })
})

it('mediaSecrets are what the environment leaves out, and the media worker understands all of them', () => {
  const keys = { SPEECH_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-1', CLOUDFLARE_API_TOKEN: 't' }
  const text = mediaSecrets(readSettings(keys), secrets)
  expect(parseEnv(text)).toEqual({
    MEDIA_WORKER_TOKEN: secrets.mediaWorkerToken,
    OPENAI_API_KEY: 'sk-1',
    CLOUDFLARE_API_TOKEN: 't',
  })
  const place = { port: 9100, workDirectory: '/data/work/1' }
  const variables = mediaVariables(readSettings(keys), place)
  expect(loadSettings({ ...variables, ...parseEnv(text) })).toMatchObject(keys)
})
