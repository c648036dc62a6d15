/** Why a file cannot be cut as it is stored. It is encoded instead. */
export class CutFault extends Error {
  override name = 'CutFault'
}

export function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new CutFault(fault)
}
