/** The address must not be asked at all; the message says no more than the customer already knows. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}
