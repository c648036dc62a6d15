import { drawAss } from '../captions/draw-text.ts'
import { pipe } from '../../graph/filter-graph.ts'
import { drawnCaptions } from '../output/drawn-bytes.ts'
import { renderStep } from '../render-state.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { withoutGaps } from '../elements/without-gaps.ts'
import { writeCaptions } from '../captions/draw-captions.ts'

const captionsPath = 'captions.ass'

/** Draws captions over everything else. Their text was found before; a caption track in the file is added at the end. */
export const burnCaptions = renderStep({
  name: 'burn-captions',
  reads: ['captions'],
  apply(state) {
    if (!state.captions || state.captions.captions.length === 0) return state
    const base = withoutGaps(state)
    const { width, height, frame, frameRate, hasConstantRate, colorMatrix } = base
    const text = writeCaptions(state.captions, {
      ...{ size: { width, height }, frame, frameRate, hasConstantRate, colorMatrix },
    })
    const plain = pipe(base.video, 'format', { pix_fmts: 'yuv420p' })
    const written = drawAss(tagMatrix(plain, colorMatrix), { path: captionsPath, text })
    const { captions } = state.captions
    return { ...base, video: written, drawn: [...base.drawn, ...drawnCaptions(captions, frame)] }
  },
})
