import path from 'node:path'

const at = (name: string) => path.join(import.meta.dirname, name)

/** A certificate for 127.0.0.1 that ends in a hundred years; the key of its authority was thrown away. */
export const testCertificate = {
  authority: at('authority.pem'),
  certificate: at('worker.pem'),
  key: at('worker.key'),
}
