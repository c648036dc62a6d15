/** For media workers, until they import it from its place. */
export { signatureHeader, signMessage, verifyMessage } from '../job/signed-message.ts'
