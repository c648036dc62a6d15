import { filmInParts, slowFilmInParts } from '../../actors/media/film-parts.ts'
import { longFilm } from '../../actors/media/told-of-work.ts'
import type { Plainly } from './plain-parts.ts'
import { readMetrics } from './plain-operator.ts'
import { judgeShownParts } from './shown/plain-film-parts.ts'

const secondMs = 1_000
const lentWithinSeconds = 120
const overWithinSeconds = 3_600
/** After a container was refused, none can start for a minute. */
const refusedMs = 61_000
/** A third of the time after which all slots of a silent film are taken back, and a little more. */
const movesMs = 33_000
/** By then the film has asked for slots, and parts of the first one are still being made. */
const besideMs = 40_000

/**
 * A film made in parts borrows slots that nobody else needs, if there are any. Then other jobs come and need them: slots that
 * are given back go to those jobs, and slots that are not lent any more are not counted.
 */
export async function judgeLending(parts: Plainly): Promise<void> {
  const { own, other, database, slots, slotWatch } = parts
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  const until = async (isSo: () => boolean, most: number): Promise<void> => {
    for (let seconds = 0; seconds < most && !isSo(); seconds++) await own.pause(secondMs)
  }
  const send = async (fileUrl: string, by = own): Promise<string> => {
    const made = await by.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
    return String(made['videoId'])
  }
  await until(() => !isBusy(), overWithinSeconds)
  const isIdle = !isBusy()
  await own.pause(refusedMs)
  const lentBefore = slotWatch.everLent
  const film = await send(`https://sources.example.com/${slowFilmInParts}.mp4`)
  const told = judgeShownParts(parts, film)
  await until(() => slotWatch.lent > 0 || !isBusy(), overWithinSeconds)
  // In some worlds a long film has too little time to come so far.
  const [row] = database.read('SELECT status FROM videos WHERE id = ?', film)
  const needsSlot = isIdle && slots > 1 && row?.['status'] !== 'failed'
  if (needsSlot) own.same('whether a slot was lent', slotWatch.everLent > lentBefore, true)
  // A second film of the account finds fewer slots to borrow; the checks of slots watch that.
  await send(`https://sources.example.com/${filmInParts}-beside.mp4`)
  await own.pause(besideMs)
  await judgeCounted(parts)
  const others: string[] = []
  for (let i = 0; i <= slots; i++)
    others.push(await send(`https://sources.example.com/${longFilm}-${i}.mp4`))
  // By then it is known that no slot is free, so this job stands in line at once.
  await own.pause(secondMs)
  await send('https://sources.example.com/beside-all.mp4', other)
  await until(() => slotWatch.lent === 0, lentWithinSeconds)
  own.same(
    'how many slots are lent',
    (await readMetrics(parts)).get('spool_parts_lent'),
    slotWatch.lent,
  )
  const [canceled] = others
  await own.ask(['POST', `/v1/videos/${canceled ?? ''}/cancel`, {}])
  await until(() => !isBusy(), overWithinSeconds)
  own.same('whether all have ended', isBusy(), false)
  await told
  await judgeLost(parts, async () => {
    const lost = await send(`https://sources.example.com/${slowFilmInParts}-lost.mp4`)
    await until(() => slotWatch.lent > 0 || !isBusy(), overWithinSeconds)
    await own.ask(['POST', `/v1/videos/${lost}/cancel`, {}])
    await until(() => !isBusy(), overWithinSeconds)
  })
  await judgeCap(parts, async () => {
    await send(`https://sources.example.com/${filmInParts}.mp4`)
    await until(() => !isBusy(), overWithinSeconds)
  })
}

/** As many slots are counted as lent as films have, also of a film that has said nothing for a moment. */
async function judgeCounted(parts: Plainly): Promise<void> {
  const { own, slotWatch } = parts
  const before = slotWatch.lent
  const told = (await readMetrics(parts)).get('spool_parts_lent')
  // One may be lent or given back just then.
  if (slotWatch.lent === before) own.same('how many slots are lent to films', told, before)
}

/** Slots whose return was lost are soon not counted as lent, also where their object is moved again and again. */
async function judgeLost(parts: Plainly, cancelFilm: () => Promise<void>): Promise<void> {
  const { own, deployment, world } = parts
  const { DISPATCHER: dispatcher } = deployment.objects
  dispatcher.meet('giveBack', async () => {
    world.faults.noteHarm()
    throw new Error('Network connection lost.')
  })
  await cancelFilm()
  for (let moves = 0; moves < 3; moves++) {
    await own.pause(movesMs)
    for (const cell of dispatcher.cells.values()) cell.die()
  }
  own.same('how many lost slots are lent', (await readMetrics(parts)).get('spool_parts_lent'), 0)
}

/** An account that may have one slot is lent no second one; the checks of slots watch that. */
async function judgeCap(
  { operator, account, deployment, line, slotWatch, own }: Plainly,
  makeFilm: () => Promise<void>,
): Promise<void> {
  const { accountId } = account
  const change = async (maxRunning: number | null): Promise<void> => {
    await operator.command({ command: 'accounts.change', accountId, maxRunning })
    line.planChanged()
  }
  await change(1)
  const before = slotWatch.everLent
  // What it has read of the account is forgotten by the time the film asks for slots.
  const { DISPATCHER: dispatcher } = deployment.objects
  dispatcher.meet('idleFor', async () => {
    for (const cell of dispatcher.cells.values()) cell.die()
  })
  await makeFilm()
  own.same('how many slots were lent beyond a cap', slotWatch.everLent - before, 0)
  await change(null)
}
