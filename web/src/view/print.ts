/** Prints a picture alone, on one page; browsers save it as PDF, too. `name` is the name of that file. */
export async function printPicture(name: string, content: Blob): Promise<void> {
  const image = new Image();
  image.className = 'printed';
  image.alt = name;
  image.src = URL.createObjectURL(content);
  document.body.append(image);
  const {title} = document;
  const end = () => {
    document.title = title;
    image.remove();
    URL.revokeObjectURL(image.src);
  };
  try {
    await image.decode();
  } catch (error) {
    end();
    throw error;
  }
  window.addEventListener('afterprint', end, {once: true});
  document.title = name;
  window.print();
}
