import { Spool } from '../../spool.ts'
import { Screen } from '../terminal/screen.ts'
import { chooseAccess, type Access } from './choose-access.ts'
import { Interrupted } from './command-error.ts'
import { profilesFile, readProfiles } from './profiles.ts'
import type { Surroundings } from './surroundings.ts'

/** What every command takes, before or after its name. */
export type CommonFlags = {
  json: boolean
  quiet: boolean
  colour: boolean
  profile: string | undefined
  baseUrl: string | undefined
}

/** One run of a command: what it talks to, and what it writes on. */
export class Session {
  readonly common: CommonFlags
  readonly surroundings: Surroundings
  readonly screen: Screen
  readonly #stop = new AbortController()
  #access: Promise<Access> | undefined

  constructor(common: CommonFlags, surroundings: Surroundings) {
    this.common = common
    this.surroundings = surroundings
    this.screen = new Screen(surroundings, common)
  }

  /** Aborted by Ctrl-C, with an `Interrupted`. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** `isByKey`: somebody at the terminal pressed Ctrl-C, and can still answer a question. */
  interrupt(isByKey: boolean): void {
    this.#stop.abort(new Interrupted(isByKey))
  }

  /** What an interrupted command ends with, and what its user can do about what goes on. */
  interrupted(hints: readonly string[]): Interrupted {
    const { reason } = this.signal as { reason: unknown }
    return new Interrupted(reason instanceof Interrupted && reason.isByKey, hints)
  }

  get isInteractive(): boolean {
    const { stdin, stderr } = this.surroundings
    return stdin.isTTY === true && stderr.isTTY === true && !this.common.json
  }

  get profilesFile(): string {
    return profilesFile(this.surroundings)
  }

  async access(): Promise<Access> {
    this.#access ??= readProfiles(this.profilesFile).then((profiles) =>
      chooseAccess({ env: this.surroundings.env, profiles, ...this.common }),
    )
    return this.#access
  }

  async spool(): Promise<Spool> {
    const { apiKey, baseUrl } = await this.access()
    return new Spool({ apiKey, baseUrl })
  }
}
