import type { Context } from 'hono'
import { randomBase62 } from '../../contract/ids.ts'
import { deriveKey, macOf, verifyMac } from '../../contract/keyed-hash.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'
import type { PersonRow } from '../../store/tables/people-tables.ts'
import { readBrowserCookie, setBrowserCookie } from './session-cookie.ts'

/**
 * A signed mark that a browser keeps for each person who has signed in with it. It lets nobody in: it only says that wrong
 * passwords from this browser are not those of strangers. A mark is tied to one password, so a new password ends all marks.
 */
type Mark = { id: string; mac: string }

type PasswordOwner = Pick<PersonRow, 'id' | 'passwordHash'>

/** How many people who sign in with one browser are remembered: the latest ones. */
const mostMarks = 4

const idLength = 22

function readMarks(c: Context<AppEnv>): Mark[] {
  return readBrowserCookie(c)
    .split('.')
    .slice(0, mostMarks)
    .flatMap((text) => {
      const [, id, mac] = /^([0-9A-Za-z]{22})-([0-9a-f]{64})$/.exec(text) ?? []
      return id === undefined || mac === undefined ? [] : [{ id, mac }]
    })
}

async function keyOf(c: Context<AppEnv>): Promise<string> {
  return deriveKey(readSettings(c.env).secret, 'known-browser')
}

function textOf(id: string, { id: personId, passwordHash }: PasswordOwner): string {
  return `${id}.${personId}.${passwordHash}`
}

async function findMark(c: Context<AppEnv>, whose: PasswordOwner): Promise<Mark | undefined> {
  if (whose.passwordHash === null) return undefined
  const key = await keyOf(c)
  for (const mark of readMarks(c)) {
    if (await verifyMac(key, textOf(mark.id, whose), mark.mac)) return mark
  }
  return undefined
}

/** The name of the browser's mark, if this person has signed in with it before. */
export async function knownBrowser(
  c: Context<AppEnv>,
  whose: PasswordOwner | undefined,
): Promise<string | undefined> {
  return whose && (await findMark(c, whose))?.id
}

/** Marks the browser for the person who has just signed in. A person without a password needs no mark. */
export async function rememberBrowser(c: Context<AppEnv>, whose: PasswordOwner): Promise<void> {
  if (whose.passwordHash === null) return
  const present = await findMark(c, whose)
  const id = present?.id ?? randomBase62(idLength)
  const mark = { id, mac: await macOf(await keyOf(c), textOf(id, whose)) }
  writeMarks(c, [mark, ...readMarks(c).filter((other) => other.id !== id)])
}

/** A worthless mark, so that a refusal looks the same as a successful sign-in. */
export async function pretendToRemember(c: Context<AppEnv>): Promise<void> {
  const id = randomBase62(idLength)
  writeMarks(c, [{ id, mac: await macOf(await keyOf(c), id) }, ...readMarks(c)])
}

function writeMarks(c: Context<AppEnv>, marks: readonly Mark[]): void {
  const kept = marks.slice(0, mostMarks)
  setBrowserCookie(c, kept.map(({ id, mac }) => `${id}-${mac}`).join('.'))
}
