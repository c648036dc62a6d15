import { AwsClient } from 'aws4fetch'

type SigningSettings = {
  s3: { endpoint: string; accessKeyId: string; secretAccessKey: string }
  maxJobMs: number
}

/** The longest lifetime of an address: after this time, nothing can be written with any that was signed before. */
export const longestAddressMs = 7 * 86_400_000

/**
 * Signs addresses for media workers: for one object or part and one method, valid for one hour more than a job may
 * take.
 */
export class AddressSigner {
  readonly #client: AwsClient
  readonly #settings: SigningSettings

  constructor(settings: SigningSettings) {
    this.#settings = settings
    this.#client = new AwsClient({
      accessKeyId: settings.s3.accessKeyId,
      secretAccessKey: settings.s3.secretAccessKey,
      service: 's3',
      region: 'auto',
    })
  }

  async read(key: string): Promise<string> {
    return this.#sign('GET', key, {})
  }

  async writePart(upload: { key: string; uploadId: string }, partNumber: number): Promise<string> {
    return this.#sign('PUT', upload.key, {
      partNumber: String(partNumber),
      uploadId: upload.uploadId,
    })
  }

  async #sign(method: 'GET' | 'PUT', key: string, query: Record<string, string>): Promise<string> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${this.#settings.s3.endpoint}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const lifetime = Math.min(
      longestAddressMs / 1000,
      Math.ceil(this.#settings.maxJobMs / 1000) + 3600,
    )
    url.searchParams.set('X-Amz-Expires', String(lifetime))
    const signed = await this.#client.sign(url.href, { method, aws: { signQuery: true } })
    return signed.url
  }
}
