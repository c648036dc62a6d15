import { slowHeartbeat, type BusyDay } from '../scale/busy-day.ts'
import { compareRows, mostOff, type Compared } from '../scale/compare.ts'
import { DatabaseWindow, type RowsOfD1 } from '../scale/rows-of-d1.ts'
import { ScaleWorld } from '../scale/scale-world.ts'
import { WatchDay, type TimeOf } from '../scale/watch-day.ts'
import { startProgram } from './start-program.ts'
import { withoutStacks } from './without-stacks.ts'

type Say = (line: string) => void

const hourMs = 3_600_000
/** Time for the last work to end, and for its alarm an hour later. */
const drainMs = 3 * hourMs
/** For how many videos of the busiest and the quietest hours the rows in D1 are counted. */
const windowVideos = 150

type ScaleOutcome = {
  videos: number
  /** In seconds, the shortest first. */
  waits: readonly number[]
  odd: string[]
  broken: readonly string[]
  compared: Compared[]
  seconds: number
  watch: WatchDay
}

/** Simulates a busy day, and compares its use of the database with the model's. */
export async function simulateScale(day: BusyDay, say: Say): Promise<ScaleOutcome> {
  return withoutStacks(async () => simulateDay(day, say))
}

async function simulateDay(day: BusyDay, say: Say): Promise<ScaleOutcome> {
  const scale = new ScaleWorld(await startProgram([slowHeartbeat], []), day)
  try {
    return await passDay(scale, day, say)
  } finally {
    scale.close()
  }
}

async function passDay(scale: ScaleWorld, day: BusyDay, say: Say): Promise<ScaleOutcome> {
  const begunAt = performance.now()
  const seconds = (): number => (performance.now() - begunAt) / 1000
  await scale.open()
  let window: DatabaseWindow | undefined
  const watch = new WatchDay(scale, (all, ran) => window?.hear(all, ran))
  const all = scale.begin()
  scale.onMinute = () => watch.look()
  const windows: { minutes: number; window: DatabaseWindow }[] = []
  const until = async (ms: number): Promise<void> => scale.world.loop.runUntil(scale.dayFrom + ms)
  for (let hour = 1; hour < day.until; hour++) {
    await until(hour * hourMs)
    if (hour === 1 || hour === day.until - 2) {
      window = await DatabaseWindow.begin(scale.database)
      const minutes = Math.min(60, Math.ceil((windowVideos / all.length) * 24 * 60))
      await until(hour * hourMs + minutes * 60_000)
      windows.push({ minutes, window })
      window = undefined
    }
    say(`${hour} h of the day: ${scale.clients.created} videos, after ${seconds().toFixed(0)} s`)
  }
  await until(day.until * hourMs + drainMs)
  const { odd, ended } = scale.clients
  const unfinished = ended === all.length ? [] : [`${all.length - ended} videos have not ended`]
  const passed: ScaleOutcome = {
    ...{ videos: all.length, compared: [], watch, seconds: seconds() },
    waits: scale.waits.sort((a, b) => a - b),
    odd: [...new Set([...odd, ...unfinished])],
    broken: scale.world.broken,
  }
  tellDay(day, passed, say)
  for (const one of windows) await addRows(passed, { ...one, accounts: day.accounts }, say)
  return passed
}

type Window = { minutes: number; window: DatabaseWindow; accounts: number }

/** Adds the rows of a window. The day is over and reported by now: a failure here does not affect its outcome. */
async function addRows(to: ScaleOutcome, { window, ...within }: Window, say: Say): Promise<void> {
  try {
    const found = await window.ask()
    const compared = compareRows(found, within)
    to.compared.push(...compared)
    tellRows(found, say)
    say('\nOf each video, or once a minute:                 model simulated')
    tellCompared(compared, say)
    if (compared.length === 1) say('Too few videos were created in these minutes to compare more.')
  } catch (error) {
    const odd = `the rows were not compared: ${error instanceof Error ? error.message : String(error)}`
    to.odd.push(odd)
    say(`ODD: ${odd}`)
  }
}

/** The seed of the days in docs/operators/scale.md. */
export const scaleSeed = 20_261_123

/** Returns 1 if the model and the simulated day do not agree. */
export async function runScale(day: BusyDay, say: Say): Promise<number> {
  const { odd, broken, compared } = await simulateScale(day, say)
  const agree = compared.every(({ off }) => Math.abs(off) <= mostOff)
  return agree && odd.length === 0 && broken.length === 0 ? 0 : 1
}

function tellDay({ accounts }: BusyDay, outcome: ScaleOutcome, say: Say): void {
  const { videos, waits, odd, broken, watch, seconds } = outcome
  say(`${videos} videos of ${accounts} accounts in ${seconds.toFixed(0)} s`)
  say(`longest line ${watch.longestLine}, most containers ${watch.mostSlots}`)
  for (const what of [...odd, ...broken]) say(`ODD: ${what}`)
  const at = (share: number): string =>
    (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1)
  say(`waited: half ${at(0.5)} s, 95 of 100 ${at(0.95)} s, 99 of 100 ${at(0.99)} s, all ${at(1)} s`)
  say('\nProcessor time of a call of the dispatcher, by the length of the line:')
  tellTimes(watch.dispatcherTimes(), say)
  say('\nProcessor time by what was asked:')
  tellTimes(watch.allTimes().slice(0, 20), say)
  say('\nProcessor time of a batch in the first and the last third of the day, microseconds:')
  for (const { name, count, first, last } of watch.statementTimes().slice(0, 25)) {
    say(`${first.toFixed(0).padStart(7)} ${last.toFixed(0).padStart(7)}  ${name}, ${count} times`)
  }
}

function tellCompared(all: readonly Compared[], say: Say): void {
  for (const { name, model, simulated, off } of all) {
    const far = Math.abs(off) > mostOff ? '  <-- they do not agree' : ''
    say(
      `${name.padEnd(44)} ${number(model)} ${number(simulated)} ${(100 * off).toFixed(1)} %${far}`,
    )
  }
}

function tellTimes(times: readonly TimeOf[], say: Say): void {
  for (const { name, count, microseconds } of times) {
    say(`${microseconds.toFixed(0).padStart(7)} µs  ${name}, ${count} events`)
  }
}

/** Prints the statements that read the most rows each time. */
function tellRows({ videos, statements, swept }: RowsOfD1, say: Say): void {
  say(`\nRows that D1 counts for a statement, with ${videos} videos:`)
  const all = [...statements, ...swept].map(([sql, { count, read, written }]) => ({
    ...{ sql, count, read: read / count, written: written / count },
  }))
  for (const { sql, count, read, written } of all.sort((a, b) => b.read - a.read).slice(0, 12)) {
    const text = sql.replace(/\s+/g, ' ').slice(0, 110)
    say(`${number(read)} read ${number(written)} written, ${count} times: ${text}`)
  }
}

function number(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1).padStart(9)
}
