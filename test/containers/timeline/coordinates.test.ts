import { describe, expect, it } from 'vitest'
import { coordinatesOf } from '../../../containers/timeline/coordinates.ts'

describe('coordinatesOf', () => {
  it('reads what phones write', () => {
    const apple = { 'com.apple.quicktime.location.ISO6709': '+48.8577+002.2950+035.100/' }
    expect(coordinatesOf(apple)).toEqual({ latitude: 48.8577, longitude: 2.295 })
    expect(coordinatesOf({ location: '-33.8568+151.2153/' })).toEqual({
      latitude: -33.8568,
      longitude: 151.2153,
    })
  })

  it('reads degrees with minutes and seconds', () => {
    expect(coordinatesOf({ location: '+4030.0-07415.00/' })).toEqual({
      latitude: 40.5,
      longitude: -74.25,
    })
    const exact = coordinatesOf({ location: '+403015-0741530/' })
    expect(exact?.latitude).toBeCloseTo(40.504167, 5)
    expect(exact?.longitude).toBeCloseTo(-74.258333, 5)
  })

  it('ignores nonsense, impossible places and missing reception', () => {
    const texts = ['', 'Berlin', '+91.0+000.0/', '+10.0+181.0/', '+00.0000+000.0000/', '1,2']
    expect(texts.map((location) => coordinatesOf({ location }))).toEqual(texts.map(() => undefined))
    expect(coordinatesOf(undefined)).toBeUndefined()
    expect(coordinatesOf({ comment: '+48.8577+002.2950/' })).toBeUndefined()
  })
})
