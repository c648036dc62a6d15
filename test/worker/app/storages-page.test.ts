import { describe, expect, it } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { anOwner, type Visitor } from '../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { s3Endpoint, standInS3 } from '../../support/worker/storages/storages.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

const path = '/app/storages'

function fieldsOf(more: Record<string, string> = {}): Record<string, string> {
  const { bucket, identity } = s3.current
  return {
    ...{ name: 'out', endpoint: s3Endpoint, bucket, prefix: '', addressing: 'path' },
    ...identity,
    ...more,
  }
}

async function namesOf({ accountId }: Visitor & { accountId: string }): Promise<string[]> {
  const rows = bindings.DB.prepare('SELECT name FROM storages WHERE account_id = ?')
  const { results } = await rows.bind(accountId).all<{ name: string }>()
  return results.map(({ name }) => name)
}

describe('the page of storages', () => {
  it('tries, saves, changes and deletes a storage, and never shows its secret', async () => {
    const owner = await anOwner()
    const { secretAccessKey } = s3.current.identity
    const saved = await owner.submit(path, fieldsOf())
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, `${path}?done=saved`])
    const pages = [await owner.get(`${path}?done=saved`), await owner.get(`${path}?change=out`)]
    for (const { text } of pages) {
      expect(text).toContain('my-videos')
      expect(text).not.toContain(secretAccessKey)
    }
    expect(pages[1]?.text).toContain('Change out')
    const changed = await owner.submit(path, fieldsOf({ prefix: 'later', secretAccessKey: '' }))
    expect(changed.status).toBe(303)
    expect((await owner.get(path)).text).toContain('my-videos/later')
    await owner.submit(path, { name: 'out', change: 'delete' })
    expect(await namesOf(owner)).toEqual([])
  })

  it('shows what is wrong at its field, with what was entered but not the secret', async () => {
    const owner = await anOwner()
    const refused = await owner.submit(path, fieldsOf({ secretAccessKey: 'not-the-secret' }))
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('SignatureDoesNotMatch')
    expect(refused.text).toContain('aria-invalid="true"')
    expect(refused.text).toContain(s3.current.identity.accessKeyId)
    expect(refused.text).not.toContain('not-the-secret')
    expect(await namesOf(owner)).toEqual([])
  })
})
