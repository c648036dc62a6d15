import type { Plainly } from './plain-parts.ts'

const path = '/v1/storages'
/** In the simulated world. */
const mostStorages = 3

/** An account finds its buckets alone, never their secrets, and has a number of them at most. */
export async function judgeStorages({ own, other }: Plainly): Promise<void> {
  const wish = {
    endpoint: 'https://storage-of-cleo.example.com',
    bucket: 'more',
    accessKeyId: 'simulated',
    secretAccessKey: 'a-secret-that-nobody-reads',
  }
  const had = (await own.list(path)).length
  const names = Array.from({ length: mostStorages - had }, (_, i) => `more-${i}`)
  for (const name of names) await own.expect(201, ['PUT', `${path}/${name}`, wish])
  await own.expect(409, ['PUT', `${path}/too-many`, wish])
  const [first = ''] = names
  const read = await own.expect(200, ['GET', `${path}/${first}`])
  own.same('what a bucket tells', JSON.stringify(read).includes(wish.secretAccessKey), false)
  own.same('its bucket', read['bucket'], wish.bucket)
  await other.expect(404, ['GET', `${path}/${first}`])
  await other.expect(404, ['DELETE', `${path}/${first}`])
  own.same('the buckets of an account', (await own.list(path)).length, mostStorages)
  for (const name of names) await own.expect(204, ['DELETE', `${path}/${name}`])
  await own.expect(404, ['GET', `${path}/${first}`])
}
