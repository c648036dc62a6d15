import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalHost } from '../../../worker/contract/addresses/public-url.ts'
import { seeded } from '../../support/node/seeded.ts'

it('canonicalHost leaves every name that it does not parse as the URL parser spells it', () => {
  const letters = [...'az09-x.', 'xn--', '0x', '1', '.', 'com']
  const name = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(name, (host) => {
      const parsed = URL.parse(`http://${host}/`)?.hostname.replace(/\.+$/, '')
      const again = parsed && URL.parse(`http://${parsed}/`)?.hostname.replace(/\.+$/, '')
      expect(canonicalHost(host)).toBe(again === '' ? undefined : again)
    }),
    seeded(5000),
  )
})
