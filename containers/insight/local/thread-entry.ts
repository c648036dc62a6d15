import { parentPort } from 'node:worker_threads'
import { answerTask, type TaskHandlers, type TaskRequest } from '../../models/model-tasks.ts'
import { loadFaceModel, type FaceModel } from '../faces/face-model.ts'
import { loadObjectModel, type ObjectModel } from '../objects/object-model.ts'
import { readCities, type City } from '../places/cities.ts'
import { placeOfCoordinates } from '../places/place-of-coordinates.ts'
import { describeSpeech } from '../words/describe-speech.ts'
import type { AnalysisWork } from './thread-messages.ts'

let model: Promise<ObjectModel> | undefined
let faceModel: Promise<FaceModel> | undefined
let cities: City[] | undefined

/** Loads each model when it is first needed, and keeps it. */
const tasks: TaskHandlers<AnalysisWork> = {
  lookAt: async (picture) => (await (model ??= loadObjectModel()))(picture),
  findFaces: async (look) => (await (faceModel ??= loadFaceModel()))(look),
  describeSpeech: async (speech) => describeSpeech(speech, (cities ??= readCities())),
  namePlace: async (coordinates) => placeOfCoordinates(coordinates, (cities ??= readCities())),
}

parentPort?.on('message', (request: TaskRequest<AnalysisWork>) => {
  if (parentPort) void answerTask(parentPort, tasks, request, { help: [], kindOf: () => 'failed' })
})
