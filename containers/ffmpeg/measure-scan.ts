import { markedScan, progressiveScan, type Scan } from '../timeline/scan-facts.ts'
import { judgeScan } from './judge-scan.ts'
import { lookAtFields, type FieldsRequest } from './look-at-fields.ts'
import type { ProbedStream } from './probe-output.ts'
import type { ToolContext } from './run-tool.ts'

/** Television has never had more lines than these in fields, and what is larger takes long to look at. */
const mostLines = 1_152
const mostColumns = 2_048
/** Nor ever so few. Of a picture this small too few blocks move to tell. */
const leastLines = 120

/** What the file says of its lines, and what its pictures show of them. */
export async function measureScan(
  context: ToolContext,
  stream: ProbedStream,
  file: Pick<FieldsRequest, 'path' | 'demuxer' | 'claimedSeconds'>,
): Promise<Scan> {
  // No camera that is turned writes fields, and its lines would not be those that are seen.
  if (isTurned(stream)) return progressiveScan
  const marked = markedScan(stream.field_order)
  const { index: streamIndex, width = 0, height = 0 } = stream
  if (width > mostColumns || height > mostLines || height < leastLines) return marked
  return judgeScan(marked, await lookAtFields(context, { ...file, streamIndex, width, height }))
}

function isTurned({ side_data_list: sideData = [] }: ProbedStream): boolean {
  return sideData.some(({ rotation = 0 }) => Math.round(rotation) !== 0)
}
