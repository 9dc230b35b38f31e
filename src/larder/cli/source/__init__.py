"""`larder source …`"""
