import {
  createCipheriv,
  createHash,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { here } from './life.ts'

type Bytes = ArrayBuffer | ArrayBufferView
type Sealing = { iv: Uint8Array; additionalData: Uint8Array }

const tagBytes = 16

/** WebCrypto without the threads in which Node computes it: they would answer in any order. */
export function cryptoOf(): unknown {
  const sign = async (_: unknown, key: KeyObject, data: Bytes) => bufferOf(macOf(key, viewOf(data)))
  return {
    randomUUID: () => {
      const hex = Buffer.from(randomBytes(new Uint8Array(16))).toString('hex')
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
    getRandomValues: randomBytes,
    DigestStream,
    subtle: {
      digest: async (_: unknown, data: Bytes) => bufferOf(hash('sha256', viewOf(data), 'buffer')),
      importKey: async (_: unknown, secret: Bytes) => keyOf(secret),
      sign,
      verify: async (_: unknown, key: KeyObject, mac: Bytes, data: Bytes) => {
        const made = macOf(key, viewOf(data))
        const given = viewOf(mac)
        return made.length === given.length && timingSafeEqual(made, given)
      },
      encrypt: async (sealing: Sealing, key: KeyObject, data: Bytes) => {
        const cipher = createCipheriv('aes-256-gcm', key, sealing.iv).setAAD(sealing.additionalData)
        const sealed = [cipher.update(viewOf(data)), cipher.final(), cipher.getAuthTag()]
        return bufferOf(Buffer.concat(sealed))
      },
      decrypt: async (sealing: Sealing, key: KeyObject, data: Bytes) => {
        const all = viewOf(data)
        const decipher = createDecipheriv('aes-256-gcm', key, sealing.iv)
          .setAAD(sealing.additionalData)
          .setAuthTag(all.subarray(-tagBytes))
        return bufferOf(
          Buffer.concat([decipher.update(all.subarray(0, -tagBytes)), decipher.final()]),
        )
      },
    },
  }
}

/** Imported keys: the same few come again and again, and Node takes longer to import one than to sign. */
const imported = new Map<string, KeyObject>()
const keptKeys = 5_000

function keyOf(secret: Bytes): KeyObject {
  const bytes = Buffer.from(viewOf(secret))
  const name = bytes.toString('latin1')
  const known = imported.get(name)
  if (known) return known
  const key = createSecretKey(bytes)
  if (imported.size >= keptKeys) imported.clear()
  imported.set(name, key)
  return key
}

/** Signatures made lately: what one side signs, the other soon verifies. */
let signed = new WeakMap<KeyObject, Map<string, Buffer>>()
let macs = 0
const keptMacs = 2_000

function macOf(key: KeyObject, data: Uint8Array): Buffer {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  const known = signed.get(key)?.get(text)
  if (known) return known
  const made = createHmac('sha256', key).update(data).digest()
  if (++macs % keptMacs === 0) signed = new WeakMap()
  const ofKey = signed.get(key) ?? new Map<string, Buffer>()
  signed.set(key, ofKey.set(text, made))
  return made
}

function randomBytes(bytes: Uint8Array): Uint8Array {
  const { chance } = here()
  for (let i = 0; i < bytes.length; i++) bytes[i] = chance.whole(0, 255)
  return bytes
}

function viewOf(data: Bytes): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** A class that only workerd has: the digest of what is written to it. */
class DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>

  constructor() {
    const sum = createHash('sha256')
    const { promise, resolve } = Promise.withResolvers<ArrayBuffer>()
    super({
      write: (bytes) => void sum.update(bytes),
      close: () => resolve(bufferOf(sum.digest())),
    })
    this.digest = promise
  }
}
