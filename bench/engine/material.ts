import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { material, rowOfTalks } from './jobs.ts'

const run = promisify(execFile)

/** Makes the clips, the logo and the music, the same ones every time. */
export async function makeMaterial(
  folder: string,
  seconds: number,
  size = '854x480',
): Promise<void> {
  const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p']
  const coded = [...h264, '-c:a', 'aac', '-b:a', '160k', '-shortest']
  const voice = `anoisesrc=d=${seconds}:c=pink:a=0.4:seed=5,lowpass=f=3000,tremolo=f=1.5:d=0.8`
  const stereo = ['-ac', '2', '-ar', '48000']
  const files = {
    [material.talk]: [
      // Like camera footage: moving detail, and noise.
      ...lavfi(`mandelbrot=s=${size}:r=30,trim=duration=${seconds},noise=alls=6:allf=t`),
      ...[...lavfi(voice), ...coded, ...stereo],
    ],
    [material.other]: [
      ...lavfi(`testsrc2=s=720x576:r=25:d=${seconds}`),
      ...[...lavfi(voice), ...coded, ...stereo],
    ],
    [material.logo]: [...lavfi('color=c=red@0.5:s=160x90,format=rgba'), '-frames:v', '1'],
    [material.music]: [...lavfi(`sine=f=330:d=${seconds}`), '-b:a', '128k'],
  }
  await writeFile(path.join(folder, rowOfTalks.name), rowOfTalks.text)
  for (const [name, args] of Object.entries(files)) {
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, name], { cwd: folder })
  }
}

function lavfi(source: string): string[] {
  return ['-f', 'lavfi', '-i', source]
}
