import type { Coordinates } from '../../timeline/coordinates.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import type { FaceLook } from '../faces/face-model.ts'
import type { RgbPicture, Sight } from '../objects/object-model.ts'
import type { SpeechDescription } from '../words/describe-speech.ts'

/** What the thread can be asked. */
export type AnalysisWork = {
  lookAt: { question: RgbPicture; answer: Sight }
  findFaces: { question: FaceLook; answer: SeenFace[] }
  describeSpeech: { question: Speech; answer: SpeechDescription }
  namePlace: { question: Coordinates; answer: string | undefined }
}
