import { ffmpeg } from '../run-tool.ts'

/**
 * How like the first pictures of a file are those of a generated picture, place by place: the peak signal to noise ratio
 * of the luma of the least like, in dB.
 */
export async function likenessTo(file: string, picture: string, count = 24): Promise<number> {
  const numbered = `settb=1/25,setpts=N,setsar=1,format=gray,trim=end_frame=${count}`
  const graph = `[0:v]${numbered}[a];[1:v]${numbered}[b];[a][b]psnr=stats_file=-`
  const inputs = ['-i', file, '-f', 'lavfi', '-i', picture]
  const compared = ['-lavfi', graph, '-fps_mode', 'passthrough', '-f', 'null', '-']
  const text = await ffmpeg([...inputs, ...compared])
  const found = [...text.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) =>
    value === 'inf' ? 99 : Number(value),
  )
  if (found.length < count - 1) throw new Error(`Only ${found.length} pictures could be compared`)
  // The first and the last have a neighbour on one side only.
  return Math.min(...found.slice(1, -1))
}
