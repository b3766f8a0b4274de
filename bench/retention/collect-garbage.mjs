// Loaded into the processes of the bench: V8 collects no garbage as long as it has room, so that
// only what is left after a collection says whether something grows.
process.on('SIGUSR2', () => globalThis.gc?.());
