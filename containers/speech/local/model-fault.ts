/** What is wrong with the folder of a speech model; names the file and what is missing in it. */
export class ModelFault extends Error {
  override name = 'ModelFault'
}
