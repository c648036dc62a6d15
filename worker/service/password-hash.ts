// oxlint-disable-next-line no-restricted-imports -- the runtime's own scrypt: one in JavaScript takes ten times as long
import { scrypt, timingSafeEqual } from 'node:crypto'
import { hex } from '../contract/keyed-hash.ts'

type Cost = { N: number; r: number; p: number }

/**
 * 16 MB and about a quarter of a second, one of the costs that OWASP names as equally strong: more memory would crowd an
 * isolate, which has 128 MB. https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
const cost: Cost = { N: 16_384, r: 8, p: 5 }
const saltBytes = 16
const hashBytes = 32
const mostMemory = 2 ** 26

const encoder = new TextEncoder()

async function derive(password: string, salt: string, { N, r, p }: Cost): Promise<string> {
  // Another keyboard may encode the same letters in another form.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(
      text,
      encoder.encode(salt),
      hashBytes,
      { N, r, p, maxmem: mostMemory },
      (error, hash) => {
        if (error) reject(error)
        else resolve(hex(hash))
      },
    )
  })
}

/** The hash with its salt and cost, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = hex(crypto.getRandomValues(new Uint8Array(saltBytes)))
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt, hash].join('$')
}

/** Without a hash it takes as long and answers no, so that the time does not tell whether one exists. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [kind, N, r, p, salt = '', hash = ''] = (stored ?? '').split('$')
  if (kind !== 'scrypt') {
    await derive(password, '', cost)
    return false
  }
  const known = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = encoder.encode(await derive(password, salt, known))
  const expected = encoder.encode(hash)
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}
