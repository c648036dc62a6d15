import { parentPort } from 'node:worker_threads'
import { answerTask, type TaskHandlers, type TaskRequest } from '../../models/model-tasks.ts'
import { TurnQueue, type Turns } from '../../models/turns.ts'
import { loadFaceModel, type FaceModel } from '../faces/face-model.ts'
import { loadObjectModel, type ObjectModel } from '../objects/object-model.ts'
import { readCities, type City } from '../places/cities.ts'
import { placeOfCoordinates } from '../places/place-of-coordinates.ts'
import { describeSpeech } from '../words/describe-speech.ts'
import type { AnalysisWork } from './analysis-thread.ts'

let model: Promise<ObjectModel> | undefined
let faceModel: Promise<FaceModel> | undefined
let cities: City[] | undefined

/** Loads each model when it is first needed, and keeps it. */
const tasks: TaskHandlers<AnalysisWork, [Turns]> = {
  async lookAt(picture, turns) {
    const look = await (model ??= loadObjectModel())
    return turns.take(async () => look(picture))
  },
  async findFaces(picture, turns) {
    const find = await (faceModel ??= loadFaceModel())
    return turns.take(async () => find(picture))
  },
  async describeSpeech(speech, turns) {
    return turns.take(async () => describeSpeech(speech, (cities ??= readCities())))
  },
  namePlace: async (coordinates) => placeOfCoordinates(coordinates, (cities ??= readCities())),
}

const queue = new TurnQueue()
/** A signal that never aborts: questions to this thread are not withdrawn. */
const always = new AbortController().signal

parentPort?.on('message', (request: TaskRequest<AnalysisWork>) => {
  if (!parentPort) return
  const turns = queue.turnsFor(always, Infinity)
  const { spentMs } = turns
  void answerTask(parentPort, tasks, request, { help: [turns], kindOf: () => 'failed', spentMs })
})
