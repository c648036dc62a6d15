import type { Batch, CreateBatch } from '../../api-types.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { switchFlag, textFlag } from '../arguments/flag.ts'
import { exitCodes, type ExitCode } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import { agoText } from '../terminal/quantities.ts'
import { textTable } from '../terminal/text-table.ts'
import { readItems } from '../transfer/read-items.ts'
import { withProgress } from '../transfer/with-progress.ts'

const createBatch: Command = {
  name: 'batch',
  summary: 'Create many videos from a file with a list of them',
  about: [
    'The file is JSON, a list of requests such as [{"fileUrl": "https://example.com/a.mp4"}], or a table (CSV) with a line of headings. A column is a field of the request where it is named like one, such as fileUrl, videoName or metadata.order; any other is a value that fills {{name}} in the preset.',
    'Nothing is created if one line is not valid. It waits until all videos have ended, and fails if one of them has.',
  ],
  positionals: { name: 'FILE', least: 1, most: 1, fields: ['items'] },
  flags: [
    textFlag('preset', 'NAME', 'What every video starts from'),
    textFlag('webhook-url', 'URL', 'Receives one signed POST when all videos have ended'),
    switchFlag('detach', 'Only start it, and print its id', { short: 'd' }),
  ],
  examples: {
    'A clip for each line of a table': 'spool batch clips.csv --preset product',
    'Start it, look later': 'spool batch items.json --detach',
  },
  run: runBatch,
}

async function runBatch(given: Typed, session: Session): Promise<ExitCode> {
  const { screen, common, signal } = session
  const { batches } = await session.spool()
  const { batchId, videoIds } = await batches.create(requestOf(given), { signal })
  if (given.isOn('detach')) {
    if (common.json) screen.printJson({ batchId, videoIds })
    else screen.printLine(batchId)
    return 0
  }
  const ended = await withProgress(session, async ({ progress }) => {
    progress.done(screen.notePaint.dim(`Batch ${batchId}`))
    const onProgress = (batch: Batch) => progress.show(stepOf(batch))
    return batches.wait(batchId, { signal, onProgress })
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw session.interrupted([
      `Batch ${batchId} goes on without you.`,
      `  spool batches show ${batchId}      to see how far it is`,
      `  spool batches cancel ${batchId}    to stop it`,
    ])
  })
  if (common.json) screen.printJson(ended)
  else if (isGood(ended)) screen.note(`${screen.mark('good')} ${sayCounts(ended)}`)
  else {
    screen.warn(`${screen.mark('bad')} ${sayCounts(ended)}`)
    screen.note(`  spool batches show ${batchId}    to see which`)
  }
  return isGood(ended) ? 0 : exitCodes.videoFailed
}

function requestOf(given: Typed): CreateBatch {
  const body = readItems(given.first)
  return {
    ...body,
    ...(given.has('preset') && { preset: given.text('preset') }),
    ...(given.has('webhook-url') && { webhookUrl: given.text('webhook-url') }),
  }
}

function endedOf({ counts }: Batch): number {
  return counts.succeeded + counts.failed + counts.canceled + counts.deleted
}

function stepOf(batch: Batch) {
  const label = `${endedOf(batch)} of ${batch.total} videos`
  const { failed } = batch.counts
  const fraction = endedOf(batch) / batch.total
  return { label, fraction, ...(failed > 0 && { detail: `${failed} failed` }) }
}

function isGood({ counts, total }: Batch): boolean {
  return counts.succeeded + counts.deleted === total
}

function sayCounts({ counts, total }: Batch): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  return `${total} ${total === 1 ? 'video' : 'videos'}: ${parts.map(([state, count]) => `${count} ${state}`).join(', ')}`
}

const listBatches: Command = {
  name: 'batches list',
  summary: 'List batches, newest first',
  examples: { 'All of them': 'spool batches list' },
  async run(_, session) {
    const { screen, common, signal, surroundings } = session
    const batches = await (await session.spool()).batches.list({ signal }).all()
    if (common.json) return screen.printJson(batches)
    const columns = ['BATCH', 'STATUS', 'CREATED', { heading: 'VIDEOS', isCut: true }]
    const rows = batches.map((batch) => [
      batch.batchId,
      batch.status,
      agoText(batch.createdAt, surroundings.now()),
      sayCounts(batch),
    ])
    screen.print(textTable(columns, rows, screen.columns))
  },
}

const showBatch: Command = {
  name: 'batches show',
  summary: 'List the videos of a batch, in the order of its items',
  positionals: { name: 'BATCH_ID', least: 1, most: 1 },
  examples: {
    'What failed, and why': `spool batches show b_5tRw8ZkQ1nYcB4vL --json | jq '.[] | select(.status == "failed")'`,
  },
  async run({ first }, session) {
    const { screen, common, signal } = session
    const items = await (await session.spool()).batches.items(first, { signal }).all()
    if (common.json) return screen.printJson(items)
    const columns = ['ITEM', 'VIDEO', 'STATUS', { heading: 'NAME', isCut: true }]
    const rows = items.map(({ item, videoId, status, videoName, errorMessage }) => [
      String(item),
      videoId,
      status,
      errorMessage ?? videoName ?? '-',
    ])
    screen.print(textTable(columns, rows, screen.columns))
  },
}

const cancelBatch: Command = {
  name: 'batches cancel',
  summary: 'End every video of a batch that has not ended',
  positionals: { name: 'BATCH_ID', least: 1, most: 1 },
  examples: { 'All that is left': 'spool batches cancel b_5tRw8ZkQ1nYcB4vL' },
  async run({ first }, session) {
    const { screen, common, signal } = session
    const batch = await (await session.spool()).batches.cancel(first, { signal })
    if (common.json) screen.printJson(batch)
    else screen.note(`${screen.mark('good')} Canceled ${first}; ${sayCounts(batch)}`)
  },
}

export const batchCommands: readonly Command[] = [createBatch, listBatches, showBatch, cancelBatch]
