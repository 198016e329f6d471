/** The result of `work` with a resource, which is then closed, even after an error. */
export async function closing<R extends { close(): unknown }, T>(
  resource: R,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  try {
    return await work(resource);
  } finally {
    await resource.close();
  }
}
