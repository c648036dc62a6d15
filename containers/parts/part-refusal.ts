/** Why a film is not rendered in parts: completes "The film is rendered whole: …". */
export class PartRefusal extends Error {
  override name = 'PartRefusal'
}
