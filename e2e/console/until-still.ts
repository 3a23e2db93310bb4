/**
 * A script for the page that waits until nothing moves. It waits four frames first, because React starts a transition up
 * to three frames after its event. Then it waits for the end of every movement that has one.
 */
export const untilStill = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const ending = ({ effect }) => effect?.getComputedTiming().endTime !== Infinity;
  for (;;) {
    for (let frames = 0; frames < 4; frames++) await frame();
    const moving = document.getAnimations().filter(ending);
    if (moving.length === 0) return;
    await Promise.allSettled(moving.map(({ finished }) => finished));
  }
})()`;
