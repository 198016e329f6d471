/** Counts requests and how they ended. */
export class RequestCount {
  running = 0;
  successful = 0;
  failed = 0;

  get total(): number {
    return this.successful + this.failed;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running++;
    try {
      const result = await work();
      this.successful++;
      return result;
    } catch (error) {
      this.failed++;
      throw error;
    } finally {
      this.running--;
    }
  }
}
