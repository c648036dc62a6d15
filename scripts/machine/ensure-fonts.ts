import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** By the Debian package: one of its files. The images of media workers install the same packages. */
export const fontPackages = {
  'fonts-inter': '/usr/share/fonts/opentype/inter/Inter-Bold.otf',
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc',
  'fonts-symbola': '/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf',
} as const

/** Installs the fonts of texts and captions where that needs no password. Everything else works without them. */
export function ensureFonts(say: (line: string) => void): void {
  // Other systems keep fonts elsewhere, and the media worker finds them by their names.
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return
  const missing = Object.entries(fontPackages)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name)
  if (missing.length === 0) return
  const wanted = {
    package: missing.join(' '),
    missing: 'Fonts for texts and captions are missing; letters without a font are left out.',
    brew: '',
    otherwise: '',
  }
  try {
    installWithApt(wanted, say)
  } catch (error) {
    if (!(error instanceof StopWithMessage)) throw error
    say(`Warning: ${error.message}`)
  }
}
