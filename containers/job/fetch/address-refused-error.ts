/** The address must not be requested at all. The message tells the customer nothing new about it. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}
