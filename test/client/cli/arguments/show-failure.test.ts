import { expect, it } from 'vitest'
import { requestFlags } from '../../../../client/src/cli/arguments/request-flags.ts'
import { flagOfPath } from '../../../../client/src/cli/arguments/show-failure.ts'

it('names the flag that a fault of the service came from', () => {
  expect(flagOfPath('compressionQuality', requestFlags)).toBe('--compression-quality')
  expect(flagOfPath('elements[2].position.anchor', requestFlags)).toBe(
    '--elements (3rd) position.anchor',
  )
  expect(flagOfPath('metadata.order', requestFlags)).toBe('--metadata order')
  expect(flagOfPath('somethingElse', requestFlags)).toBeUndefined()
})
