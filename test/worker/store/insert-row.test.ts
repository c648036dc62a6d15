import { describe, expect, it } from 'vitest'
import { createVideo } from '../../../worker/contract/options/create-video.ts'
import { openDatabase } from '../../../worker/store/database.ts'
import { insertInto } from '../../../worker/store/insert-row.ts'
import { jobs, videos } from '../../../worker/store/tables/tables.ts'
import { anAccount } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'

const at = 1_795_231_260_000
const video = {
  id: 'v_00000001',
  name: "O'Brien",
  status: 'queued',
  request: createVideo.parse({ fileUrl: 'https://media.example.com/a.mp4' }),
  transcriptStatus: 'pending',
  analysisStatus: 'not_requested',
  errorMessage: null,
  createdAt: at,
  updatedAt: at,
} as const

describe('insertInto', () => {
  it('stores the given values in the form of the table, and defaults for the others', async () => {
    const given = { ...video, accountId: await anAccount() }
    await insertInto(videos)(bindings.DB, given).run()
    const row = await openDatabase(bindings.DB).select().from(videos).get()
    expect(row).toMatchObject({ ...given, progressPercent: 0, result: null, finishedAt: null })
  })

  it('refuses a row that lacks what the table requires', async () => {
    const row = { id: 'j_1', createdAt: at, sweepAfter: at } as typeof jobs.$inferInsert
    await expect(insertInto(jobs)(bindings.DB, row).run()).rejects.toThrow('NOT NULL')
  })
})
