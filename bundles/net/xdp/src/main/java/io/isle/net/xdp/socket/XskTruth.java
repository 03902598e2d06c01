package io.isle.net.xdp.socket;

import io.isle.net.xdp.socket.XskWish.Poll;
import java.util.List;

/**
 * What is in force of an {@link XskWish}.
 *
 * @param zeroCopy false: the kernel copies each frame
 * @param poll never {@link Poll#AUTO}
 * @param pinnedBytes memory that the socket keeps from being paged out: frames and rings
 * @param notes why something differs from the wish, for the user
 */
public record XskTruth(boolean zeroCopy, Poll poll, long pinnedBytes, List<String> notes) {}
