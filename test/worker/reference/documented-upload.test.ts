import { describe, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aFile, sendForm, upload, uploadPath } from '../../support/worker/forms/upload-form.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'

standInForAll()

describe('POST /v1/videos/upload', () => {
  it('answers as documented', async () => {
    const documented = new Documented('post', uploadPath)
    const client = await aClient()
    const key = { 'Idempotency-Key': 'one' }
    documented.check(202, await upload(client, [aFile()], key))
    documented.check(202, await upload(client, [aFile()], key))
    documented.check(400, await upload(client, []))
    documented.check(409, await upload(client, [aFile(undefined, 'other.mp4')], key))
    const tooLarge = new FixedLengthStream(100_000_000).readable
    documented.check(413, await sendForm(client, tooLarge))
    documented.check(422, await upload(client, [aFile('#EXTM3U\n')]))
    await checkKeyFailures(documented, 'videos:write', uploadPath, (one) => upload(one, [aFile()]))
    documented.expectComplete()
  })
})
