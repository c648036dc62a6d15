import type { FieldFault } from '../../contract/answers/errors.ts'
import type { Member } from '../../contract/people/member.ts'
import type { Request } from './request/build-request.ts'
import type { Source } from './request/choose-source.ts'

export type PresetChoice = {
  name: string
  description: string | null
  builtIn: boolean
  fields: Request
  /** What its templates ask for. */
  values: readonly { name: string }[]
}

/** What the page shows. */
export type NewVideoView = {
  member: Member
  /** What the controls hold, defaults included. */
  request: Request
  defaults: Request
  source: Source
  mostUploadBytes: number
  presets: readonly PresetChoice[]
  faults: readonly FieldFault[]
  /** The file of an earlier video that is used again, and the video in which its words were heard. */
  again?: { name: string; heardIn: string | undefined } | undefined
  /** What went wrong as a whole, or is good to know. */
  notice?: { tone: 'bad' | 'idle'; text: string } | undefined
  /** Makes one video of a form that is sent twice. */
  once: string
  baseUrl: string
}
