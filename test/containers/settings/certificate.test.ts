import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCertificate } from '../../../containers/settings/certificate.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { testCertificate } from '../../support/node/tls/test-certificate.ts'

const files = (MEDIA_TLS_CERT?: string, MEDIA_TLS_KEY?: string) => ({
  MEDIA_TLS_CERT,
  MEDIA_TLS_KEY,
})

describe('readCertificate', () => {
  it('reads a certificate with its key, and needs none', () => {
    const { certificate, key } = testCertificate
    expect(readCertificate(files(certificate, key))?.cert.toString()).toContain('CERTIFICATE')
    expect(readCertificate(files())).toBeUndefined()
  })

  it('says which of the two is missing, unreadable or does not fit', async () => {
    const { authority, certificate, key } = testCertificate
    const says = (given: ReturnType<typeof files>, message: string) =>
      expect(() => readCertificate(given)).toThrow(message)
    says(files(certificate), 'MEDIA_TLS_CERT and MEDIA_TLS_KEY are needed together')
    says(files(certificate, '/nowhere'), 'MEDIA_TLS_KEY cannot be read')
    says(files(authority, key), 'do not fit together')
    const noCertificate = path.join(await aFolder(), 'empty.pem')
    await writeFile(noCertificate, 'hello')
    says(files(noCertificate, key), 'do not fit together')
  })
})
