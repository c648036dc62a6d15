import { parentPort } from 'node:worker_threads'
import { loadFaceModel, type FaceModel } from '../faces/face-model.ts'
import { loadObjectModel, type ObjectModel } from '../objects/object-model.ts'
import { readCities, type City } from '../places/cities.ts'
import { placeOfCoordinates } from '../places/place-of-coordinates.ts'
import { describeSpeech } from '../words/describe-speech.ts'
import type { Task, ThreadReply, AnalysisRequest, ThreadWork } from './thread-messages.ts'

let model: Promise<ObjectModel> | undefined
let faceModel: Promise<FaceModel> | undefined
let cities: City[] | undefined

/** Loads each model when it is first needed, and keeps it. */
async function answer(request: AnalysisRequest): Promise<ThreadWork[Task]['answer']> {
  switch (request.task) {
    case 'lookAt':
      return (await (model ??= loadObjectModel()))(request.question)
    case 'findFaces':
      return (await (faceModel ??= loadFaceModel()))(request.question)
    case 'describeSpeech':
      return describeSpeech(request.question, (cities ??= readCities()))
    case 'namePlace':
      return placeOfCoordinates(request.question, (cities ??= readCities()))
  }
}

parentPort?.on('message', (request: AnalysisRequest) => {
  const reply = (message: ThreadReply) => parentPort?.postMessage(message)
  answer(request).then(
    (found) => reply({ id: request.id, answer: found }),
    (error: unknown) => {
      reply({ id: request.id, fault: String(error instanceof Error ? error.stack : error) })
    },
  )
})
