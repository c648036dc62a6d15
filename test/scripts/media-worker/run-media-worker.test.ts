import { describe, expect, it } from 'vitest'
import { helpText, runMediaWorker } from '../../../scripts/media-worker/run-media-worker.ts'
import { testCertificate } from '../../support/node/tls/test-certificate.ts'

const token = { MEDIA_WORKER_TOKEN: 'a token for tests' }

describe('npm run media-worker', () => {
  it.each([
    [{}, 'MEDIA_WORKER_TOKEN is required'],
    [{ ...token, MEDIA_SLOTS: 'many' }, 'MEDIA_SLOTS must be a whole number'],
    [
      { ...token, MEDIA_TLS_KEY: testCertificate.key },
      'MEDIA_TLS_CERT and MEDIA_TLS_KEY are needed together',
    ],
    [{ ...token, SPOOL_WORK_DIR: '/proc/spool' }, 'SPOOL_WORK_DIR=/proc/spool: it is on no disk'],
    [{ ...token, SPOOL_WORK_DIR: '/dev/null' }, 'SPOOL_WORK_DIR=/dev/null: it is a file'],
  ])('says what is wrong with %j before it starts anything', async (env, message) => {
    await expect(runMediaWorker([], env)).rejects.toThrow(message)
  })

  it('takes no arguments', async () => {
    await expect(runMediaWorker(['8788'], token)).rejects.toThrow('Unknown argument 8788')
  })

  it('names the settings of a media worker, with the defaults that they have without npm start', () => {
    expect(helpText()).toMatch(/MEDIA_WORKER_TOKEN +.*\(default: required\)/)
    expect(helpText()).toMatch(/ALLOW_PRIVATE_HOSTS +.*\(default: none\)/)
    expect(helpText()).not.toContain('SPOOL_DATA_DIR')
  })
})
