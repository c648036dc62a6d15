import { readFileSync, watchFile } from 'node:fs'
import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import { SettingsError, type MediaSettings } from './settings.ts'

export type Certificate = { readonly cert: Buffer; readonly key: Buffer }

type Files = Pick<MediaSettings, 'MEDIA_TLS_CERT' | 'MEDIA_TLS_KEY'>

/** How often the files of a certificate are looked at: it is renewed weeks before it ends. */
const lookMs = 60_000

/** The certificate and the key of this media worker; undefined if it has none. */
export function readCertificate(files: Files): Certificate | undefined {
  const { MEDIA_TLS_CERT: certFile, MEDIA_TLS_KEY: keyFile } = files
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw new SettingsError('MEDIA_TLS_CERT and MEDIA_TLS_KEY are needed together')
  }
  const certificate = {
    cert: readOf('MEDIA_TLS_CERT', certFile),
    key: readOf('MEDIA_TLS_KEY', keyFile),
  }
  try {
    createSecureContext(certificate)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `MEDIA_TLS_CERT and MEDIA_TLS_KEY do not fit together: ${reason}`
    throw new SettingsError(message, { cause })
  }
  return certificate
}

/** Takes a renewed certificate without a restart. One that cannot be used changes nothing. */
export function followCertificate(
  server: Server,
  files: Files,
  onFault: (error: unknown) => void,
): void {
  const { MEDIA_TLS_CERT: certFile, MEDIA_TLS_KEY: keyFile } = files
  if (certFile === undefined || keyFile === undefined || !(server instanceof TlsServer)) return
  const take = (): void => {
    try {
      const certificate = readCertificate(files)
      if (certificate) server.setSecureContext(certificate)
    } catch (error) {
      onFault(error)
    }
  }
  // One of the two is written first, and does not fit until the other one is there.
  for (const file of [certFile, keyFile]) {
    watchFile(file, { interval: lookMs, persistent: false }, take)
  }
}

function readOf(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${name} cannot be read: ${reason}`, { cause })
  }
}
