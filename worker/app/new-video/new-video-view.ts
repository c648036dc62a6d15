import type { FieldFault } from '../../contract/answers/errors.ts'
import type { Member } from '../../contract/people/member.ts'
import type { Choices } from './request/build-request.ts'
import type { SourceKind } from './request/choose-source.ts'

export type PresetChoice = {
  name: string
  description: string | null
  builtIn: boolean
  fields: Choices
  /** The values that the preset's placeholders need. */
  values: readonly { name: string }[]
}

/** What the page shows. */
export type NewVideoView = {
  member: Member
  /** The values of the controls, defaults included. */
  request: Choices
  defaults: Choices
  source: SourceKind
  mostUploadBytes: number
  presets: readonly PresetChoice[]
  faults: readonly FieldFault[]
  /** The file of an earlier video that is used again, and the video for which it was transcribed. */
  again?: { name: string; heardIn: string | undefined } | undefined
  /** A message about the whole form. */
  notice?: { tone: 'bad' | 'idle'; text: string } | undefined
  /** A key that makes a form sent twice create one video. */
  once: string
  baseUrl: string
}
