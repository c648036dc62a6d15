import { availableParallelism } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import { StopWithMessage } from '../../../scripts/machine/stop-with-message.ts'
import { readSettings } from '../../../scripts/start/settings.ts'

function refusalOf(env: Record<string, string>): StopWithMessage {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof StopWithMessage) return error
    throw error
  }
  throw new Error('These settings were accepted')
}

describe('readSettings', () => {
  it('has a default for everything', () => {
    const { texts, ...own } = readSettings({})
    expect(own).toEqual({
      HOST: '127.0.0.1',
      PORT: 8787,
      SPOOL_MODELS_URL: 'https://huggingface.co',
      SPOOL_DATA_DIR: path.join(root, '.spool'),
      MEDIA_WORKERS: 1,
      MEDIA_WORKER_URLS: [],
      SPOOL_VERBOSE: false,
      SPOOL_LOG: 'text',
    })
    expect(texts).toMatchObject({
      UPLOAD_ORIGINS: '',
      ALLOW_PRIVATE_HOSTS: 'localhost,127.0.0.1',
      RATE_LIMITS: '1000/60,20000/3600',
      READ_RATE_LIMITS: '6000/60',
      MAX_UPLOAD_BYTES: '2147483648',
      FFMPEG_THREADS: String(availableParallelism()),
      SPEECH_PROVIDER: 'local',
      MAX_TRANSCRIPTION_SECONDS: '14400',
    })
    const given = readSettings({ MAX_TRANSCRIPTION_SECONDS: '600' })
    expect(given.texts).toMatchObject({ MAX_TRANSCRIPTION_SECONDS: '600' })
  })

  it('reads the settings it is given, and no other variables', () => {
    const settings = readSettings({ PORT: ' 9000 ', MAX_SOURCE_SECONDS: ' 1.5', HOME: '/root' })
    expect(settings).toMatchObject({ PORT: 9000, texts: { MAX_SOURCE_SECONDS: '1.5' } })
    expect(settings.texts).not.toHaveProperty('HOME')
  })

  it('treats an empty variable as absent, but an empty list of hosts as none', () => {
    const settings = readSettings({ PORT: '', ALLOW_PRIVATE_HOSTS: '' })
    expect(settings).toMatchObject({ PORT: 8787, texts: { ALLOW_PRIVATE_HOSTS: '' } })
  })

  it('takes the data directory from the repository, unless it is absolute', () => {
    expect(readSettings({ SPOOL_DATA_DIR: 'other' }).SPOOL_DATA_DIR).toBe(path.join(root, 'other'))
    expect(readSettings({ SPOOL_DATA_DIR: '/data' }).SPOOL_DATA_DIR).toBe('/data')
  })

  it('drops slashes at the end of the storage address', () => {
    const { STORAGE_URL } = readSettings({ STORAGE_URL: 'https://media.example.com/files//' })
    expect(STORAGE_URL).toBe('https://media.example.com/files')
  })

  it.each([
    ['PORT', '0', 'must be a whole number from 1 to 65535'],
    ['PORT', '65536', 'must be a whole number from 1 to 65535'],
    ['PORT', '8e3', 'must be a whole number from 1 to 65535'],
    ['MEDIA_WORKERS', '65', 'must be a whole number from 0 to 64'],
    ['MAX_SOURCE_BYTES', '2GB', 'must be a whole number from 1 to 1125899906842624'],
    ['MAX_SOURCE_SECONDS', '0', 'must be a number of seconds above 0'],
    ['RATE_LIMITS', '100', 'is not valid: "100" is not a window'],
    ['ALLOW_PRIVATE_HOSTS', 'a:b:c', 'is not valid: "a:b:c" is not a host'],
    ['STORAGE_URL', 'media.example.com', 'must be an http or https address without a query'],
    [
      'STORAGE_URL',
      "https://a.example/'$HOME'",
      'must be an http or https address without a query',
    ],
    ['BASE_URL', 'https://example.com/spool', 'must not have a path: give the service a host name'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1/99',
      'is not valid: "10.0.0.1/99" is not an address or a network',
    ],
    ['SIGN_UP', 'yes', 'must be open, invited or closed'],
    ['HOST', 'localhost', 'must be an IP address, such as 127.0.0.1 or 0.0.0.0'],
    ['SPOOL_VERBOSE', 'yes', 'must be 0 or 1'],
    ['SPOOL_DATA_DIR', '~/spool', 'must not begin with ~: write the whole path'],
  ])('names variable, value and rule: %s=%s', (name, value, rule) => {
    const refusal = refusalOf({ [name]: value })
    expect(refusal.message).toContain(`${name}=${value} ${rule}`)
    expect(refusal.exitCode).toBe(2)
  })

  it('wants the keys of the providers that its own media workers ask', () => {
    const providers = { SPEECH_PROVIDER: 'openai', ANALYSIS_PROVIDER: 'cloudflare' }
    const lines = refusalOf({ ...providers, CLOUDFLARE_API_TOKEN: 't' }).message.split('\n')
    expect(lines.slice(0, -1)).toEqual([
      'OPENAI_API_KEY= is required with SPEECH_PROVIDER=openai',
      'CLOUDFLARE_ACCOUNT_ID= is required with ANALYSIS_PROVIDER=cloudflare',
    ])
    const far = { MEDIA_WORKER_URLS: 'http://127.0.0.1:8788' }
    expect(readSettings({ ...providers, ...far }).texts).toMatchObject(providers)
  })

  it('names every fault at once, each once', () => {
    const lines = refusalOf({ PORT: 'x', MAX_ATTEMPTS: '0' }).message.split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^PORT=x /)
    expect(lines[1]).toMatch(/^MAX_ATTEMPTS=0 /)
  })
})
