import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { benchmark, say, type Run } from '../benchmark.ts'
import { timed } from '../machine.ts'
import { allCores, ffmpeg } from '../tools-in.ts'
import { drawFilm, footages, partsToCut, type Footage } from './footage.ts'
import { asStored, cutOf, encodeOnce, joinOf } from './ways.ts'

const limits = { ratio: 5, transitionShare: 0.05 }
const lines = 1_080

export const cuts = benchmark({
  summary: 'cuts that copy what is stored against an encode',
  takes: 'six minutes',
  about: `Cuts two kinds of footage as it is stored, with encoded seams and their proof, and by one encode with our own settings.
Shows how long each takes, and how much processor time. Then two long clips are joined in a crossfade.`,
  numbers: {
    // In a shorter film, the last of the five parts would lie behind its end.
    seconds: [60, 'length of the footage', 20],
    minutes: [10, 'length of the joined clips', 1],
  },
  async measure({ seconds, minutes }, run) {
    const tools = allCores(run)
    say('footage   way         seconds  processor s')
    for (const footage of footages) await compareCut(tools, footage, seconds, run)
    await compareTransition(tools, minutes, run)
  },
})

async function compareCut(tools: ToolContext, footage: Footage, length: number, { judge }: Run) {
  const name = `${footage.name}.mp4`
  await drawFilm(tools, footage, { name, seconds: length, lines })
  const edit = await cutOf(tools, name, partsToCut(length, footage))
  const measure = async (way: string, work: typeof asStored) => {
    const { made: said, seconds, processor } = await timed(async () => work(edit))
    const figures = [seconds.toFixed(1).padStart(8), processor.toFixed(1).padStart(11)]
    say([footage.name.padEnd(8), way.padEnd(10), ...figures, said].join('  '))
    return processor
  }
  const stored = await measure('as stored', asStored)
  const less = (await measure('one encode', encodeOnce)) / stored
  const figure = `${footage.name}: the encode takes ${less.toFixed(1)} times the processor time`
  judge(figure, `at least ${limits.ratio} times`, less >= limits.ratio)
}

/** Compares ways to join two long clips, each a short one repeated without encoding. */
async function compareTransition(tools: ToolContext, minutes: number, { judge }: Run) {
  const [camera] = footages
  const seconds = 10
  const times = (minutes * 60) / seconds
  const [long, short] = ['long.mp4', 'short.mp4']
  await drawFilm(tools, camera, { name: short, seconds, lines })
  await writeFile(path.join(tools.folder, 'times.txt'), `file '${short}'\n`.repeat(times))
  await ffmpeg(tools, ['-f', 'concat', '-i', 'times.txt', '-c', 'copy', long])
  const stored = await timed(async () => asStored(await joinOf(tools, long)))
  // The time to encode two long clips follows from that of short ones: each picture takes the same.
  const encoded = await timed(async () => encodeOnce(await joinOf(tools, short)))
  const share = stored.processor / (encoded.processor * times)
  const most = limits.transitionShare
  const figure = `a transition between two clips of ${minutes} minutes: ${(share * 100).toFixed(1)} % of an encode`
  judge(figure, `at most ${most * 100} %`, share <= most)
}
