import type { Coordinates } from '../../timeline/coordinates.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import type { FaceLook } from '../faces/face-model.ts'
import type { RgbPicture, Sight } from '../objects/object-model.ts'
import type { SpeechDescription } from '../words/describe-speech.ts'

/** The questions that the thread can be asked, and their answers. */
export type ThreadWork = {
  lookAt: { question: RgbPicture; answer: Sight }
  findFaces: { question: FaceLook; answer: SeenFace[] }
  describeSpeech: { question: Speech; answer: SpeechDescription }
  namePlace: { question: Coordinates; answer: string | undefined }
}

export type Task = keyof ThreadWork

export type AnalysisRequest = {
  [T in Task]: {
    readonly id: number
    readonly task: T
    readonly question: ThreadWork[T]['question']
  }
}[Task]

export type ThreadReply =
  | { readonly id: number; readonly answer: ThreadWork[Task]['answer'] }
  | { readonly id: number; readonly fault: string }
