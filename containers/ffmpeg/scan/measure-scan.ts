import { markedScan, progressiveScan, type Scan } from '../../timeline/scan-facts.ts'
import { judgeScan } from './judge-scan.ts'
import { lookAtFields, type FieldsRequest } from './look-at-fields.ts'
import type { ProbedStream } from '../probe/probe-output.ts'
import type { ToolContext } from '../process/run-tool.ts'

/** Interlaced television never had more lines than these, and larger pictures take long to examine. */
const mostLines = 1_152
const mostColumns = 2_048
/** It never had so few lines either. In a picture this small too few blocks move to tell. */
const leastLines = 120

/** Combines what the file says about its lines with what its pictures show. */
export async function measureScan(
  tools: ToolContext,
  stream: ProbedStream,
  file: Pick<FieldsRequest, 'path' | 'demuxer' | 'claimedSeconds'>,
): Promise<Scan> {
  // Cameras that rotate the picture do not write fields, and the stored lines are not those that are seen.
  if (isTurned(stream)) return progressiveScan
  const marked = markedScan(stream.field_order)
  const { index: streamIndex, width = 0, height = 0 } = stream
  if (width > mostColumns || height > mostLines || height < leastLines) return marked
  return judgeScan(marked, await lookAtFields(tools, { ...file, streamIndex, width, height }))
}

function isTurned({ side_data_list: sideData = [] }: ProbedStream): boolean {
  return sideData.some(({ rotation = 0 }) => Math.round(rotation) !== 0)
}
