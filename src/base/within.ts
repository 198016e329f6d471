/** Resolves or rejects like `answer`; after `ms` milliseconds, like `late`. */
export async function within<T, L>(answer: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([answer, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
