import { rate } from '../mix.ts'
import { OnePole } from '../one-pole.ts'
import { Random } from '../random.ts'

const mainsHertz = 50
const bladeHertz = 47

export async function hum(seconds: number, seed = 5): Promise<Float32Array> {
  const random = new Random(seed)
  const air = [new OnePole(), new OnePole()] as const
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const angle = (2 * Math.PI * i) / rate
    let mains = 0
    for (const harmonic of [1, 2, 3, 4, 6, 8, 12])
      mains += Math.sin(angle * mainsHertz * harmonic + harmonic) / harmonic
    const draught = air[0].lowpass(air[1].lowpass(random.noise(), 2_500), 700)
    return 0.03 * mains + 0.25 * draught * (1 + 0.2 * Math.sin(angle * bladeHertz))
  })
}
