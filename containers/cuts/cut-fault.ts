/** Why a file cannot be cut as it is stored. It is encoded instead. */
export class CutFault extends Error {
  override name = 'CutFault'
}
